/// The camera portal, which gives access to cameras without a device node.
struct PortalLayer: Layer {
  let assessment: Assessment
  let names: Names

  static let causes: [CauseDescription<PortalLayer>] = [
    CauseDescription(
      .portalStoredNo, "portal remembers no",
      remedies: { layer, cause in layer.portalRemedies(cause.code) },
      lookups: { layer, _ in layer.portalStoreLookups() }),
    CauseDescription(
      .portalStoredAsk, "portal remembers ask",
      remedies: { layer, cause in layer.portalRemedies(cause.code) },
      lookups: { layer, _ in layer.portalStoreLookups() }),
    CauseDescription(
      .portalService, "portal not working",
      remedies: { layer, _ in layer.portalBackendRemedies() },
      lookups: { layer, _ in layer.portalLookups() }),
  ]

  /// Returns the cause if the camera portal refuses access to the program.
  ///
  /// The cause applies even if access to the node is granted, because a program that uses the
  /// portal depends only on the portal's answer.
  func portalCause() -> Cause? {
    guard let portal = facts.portal, facts.kind == DeviceKind.camera.name else { return nil }
    if let problem = portal.problem {
      return Cause(
        .portalService, summary: "The camera portal does not work: \(problem).", at: path)
    }
    switch portal.storedAnswer {
    case "no":
      return Cause(
        .portalStoredNo,
        summary:
          "The answer \"no\" is stored for the camera in the portal's permission store, so the portal does not ask.",
        at: path)
    case "ask":
      return Cause(
        .portalStoredAsk,
        summary:
          "The answer \"ask\" is stored for the camera in the portal's permission store, but the portal gives access only for \"yes\".",
        at: path)
    default: return nil
    }
  }

  /// Returns the fix that installs a backend for the interfaces that the portal needs.
  func portalBackendRemedies() -> [Remedy] {
    guard facts.portal?.problem?.contains("backend") == true else { return [] }
    return [
      Remedy(
        "Install a portal backend that implements them, such as xdg-desktop-portal-gtk",
        actor: .administrator, takesEffect: "at the next login",
        assumes: "portals.conf(5) names no other backend for this desktop")
    ]
  }

  func portalRemedies(_ code: CauseCode) -> [Remedy] {
    // The store identifies applications by their ID. Programs outside a sandbox have an empty one,
    // or one that depends on the version of the portal.
    let flatpak = confinement.flatpakApplication
    let application = flatpak?.shellQuoted ?? "APP"
    let placeholder =
      flatpak == nil ? "; replace APP with the program's name in the store ('' if it is empty)" : ""
    if code == .portalStoredAsk {
      return [
        Remedy(
          "Store the answer yes, the only one that opening accepts\(placeholder)",
          commands: [
            flatpak != nil
              ? "flatpak permission-set devices camera \(application) yes"
              : Self.storeCall("SetPermission sbssas devices true camera \(application) 1 yes")
          ], actor: .user, takesEffect: "when the application asks again",
          assumes: "xdg-desktop-portal and PipeWire are running")
      ]
    }
    return [
      Remedy(
        "Delete the stored answer, so that the portal asks again\(placeholder)",
        commands: [
          flatpak != nil
            ? "flatpak permission-remove devices camera \(application)"
            : Self.storeCall("DeletePermission sss devices camera \(application)")
        ],
        actor: .user, takesEffect: "when the application asks again",
        assumes: "the user says yes when the portal asks")
    ]
  }

  /// Returns the command that calls a method of the portal's permission store.
  private static func storeCall(_ method: String) -> String {
    let store = "org.freedesktop.impl.portal.PermissionStore"
    return
      "busctl --user call \(store) /org/freedesktop/impl/portal/PermissionStore \(store) \(method)"
  }

  /// Returns the command that shows the stored answers; empty if the application's ID is known.
  func portalStoreLookups() -> [Lookup] {
    guard confinement.flatpakApplication == nil else { return [] }
    return [
      Lookup(
        "See the stored answers, by application",
        commands: [Self.storeCall("Lookup ss devices camera")])
    ]
  }

  func portalLookups() -> [Lookup] {
    confinement.hasSystemd == false
      ? []
      : [
        Lookup(
          "See which errors the portal reports",
          commands: ["systemctl --user status xdg-desktop-portal.service"])
      ]
  }
}
