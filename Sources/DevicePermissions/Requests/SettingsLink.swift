public import AccessModel

/// Where a person changes whether a program may use a device.
public struct SettingsLink: Hashable, Sendable {
  /// What the command does, as one imperative sentence without a full stop.
  public var title: String
  /// A command for a shell that opens the place or makes the change.
  public var command: String
  /// Who can do it.
  public var actor: Remedy.Actor
  /// What has to hold for it to work that the facts do not show, as one clause; `nil` where nothing is
  /// left open.
  public var assumes: String?
  /// What it grants beyond the need, as one clause; `nil` where that is nothing.
  public var excess: String?

  /// Creates a link.
  public init(_ title: String, command: String, actor: Remedy.Actor) {
    self.title = title
    self.command = command
    self.actor = actor
  }

  /// Where the answer of a portal is changed.
  ///
  /// - Parameters:
  ///   - application: The identifier whose answer it is; `nil` where it is not known.
  ///   - desktop: `XDG_CURRENT_DESKTOP`, names with colons between them.
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
      excess = "the answer applies to all programs outside a sandbox that the portal does not know"
    }
  }

  /// The panel of a desktop in which it allows programs to use cameras; `nil` for a desktop without
  /// one.
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

  /// The first fix of a diagnosis that is a command; `nil` where there is none.
  init?(_ explanation: Explanation) {
    for remedy in explanation.remedies {
      guard let step = remedy.steps.first(where: { !$0.commands.isEmpty }) else { continue }
      self.init(
        remedy.title, command: remedy.steps.flatMap(\.commands).joined(separator: " && "),
        actor: step.actor)
      (assumes, excess) = (remedy.assumes, remedy.excess)
      return
    }
    return nil
  }

  private static func family(of desktop: String?) -> String? {
    let names = (desktop ?? "").split(separator: ":")
    return ["GNOME", "KDE"].first { family in names.contains { $0 == family } }
  }
}
