public import AccessModel

/// A setting with which a user can change the device permission of a program.
public struct SettingsLink: Hashable, Sendable {
  /// The title, as one imperative sentence without a final period.
  public var title: String
  /// A shell command that opens the settings or makes the change.
  public var command: String
  /// The person who can run the command.
  public var actor: Remedy.Actor
  /// A condition that the command requires and the facts do not confirm, as one clause; `nil` if
  /// none.
  public var assumes: String?
  /// The condition under which the command does no harm, as one clause; `nil` if none.
  public var caution: String?
  /// The access that the command gives beyond what is needed, as a phrase after *This also gives*;
  /// `nil` if none.
  public var excess: String?

  /// Creates a link.
  public init(_ title: String, command: String, actor: Remedy.Actor) {
    self.title = title
    self.command = command
    self.actor = actor
  }

  /// Creates a link to change the answer of a portal.
  ///
  /// - Parameters:
  ///   - application: The identifier of the application; `nil` if it is not known.
  ///   - desktop: The value of `XDG_CURRENT_DESKTOP`, which is a list of names separated by colons.
  init(portalAnswerOf application: String?, desktop: String?) {
    if let application, !application.isEmpty {
      self.init(
        "Have the portal ask again",
        command: "flatpak permission-remove devices camera \(application.shellQuoted)",
        actor: .user)
      return
    }
    if let link = SettingsLink(panelOf: desktop) {
      self = link
      return
    }
    let store = "org.freedesktop.impl.portal.PermissionStore"
    self.init(
      "Have the portal ask again",
      command: """
        busctl --user call \(store) /org/freedesktop/impl/portal/PermissionStore \(store) \
        DeletePermission sss devices camera \((application ?? "").shellQuoted)
        """, actor: .user)
    if application?.isEmpty == true {
      excess = "the answer to all programs outside a sandbox that the portal does not know"
    }
  }

  /// Creates a link to the camera permission panel of a desktop; `nil` for a desktop without one.
  init?(panelOf desktop: String?) {
    switch Self.family(of: desktop) {
    case "GNOME":
      self.init(
        "Allow cameras in the settings of GNOME", command: "gnome-control-center camera",
        actor: .user)
    case "KDE":
      self.init(
        "Allow the application in the settings of Plasma",
        command: "systemsettings kcm_app-permissions", actor: .user)
    default: return nil
    }
  }

  /// Creates a link from the first fix in a diagnosis that has a command; `nil` if none has.
  init?(_ explanation: Explanation) {
    for remedy in explanation.remedies {
      guard let step = remedy.steps.first(where: { !$0.commands.isEmpty }) else { continue }
      self.init(
        remedy.title, command: remedy.steps.flatMap(\.commands).joined(separator: " && "),
        actor: step.actor)
      (assumes, caution, excess) = (remedy.assumes, remedy.caution, remedy.excess)
      return
    }
    return nil
  }

  private static func family(of desktop: String?) -> String? {
    let names = (desktop ?? "").split(separator: ":")
    return ["GNOME", "KDE"].first { family in names.contains { $0 == family } }
  }
}
