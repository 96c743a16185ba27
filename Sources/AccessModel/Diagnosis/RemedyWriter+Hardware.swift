/// Remedies for hardware without a node, for devices in use, and for the portal.
extension RemedyWriter {
  func buildRemedies() -> [Remedy] {
    [
      Remedy(
        "Install the headers of the running kernel and build the module again",
        commands: ["apt-get install linux-headers-$(uname -r)", "dkms autoinstall"],
        actor: .administrator, assumes: "the command \"dkms status\" lists the module")
    ]
  }

  func moduleLoadLookups() -> [Lookup] {
    [
      Lookup(
        "Read why the kernel refuses the module",
        commands: ["journalctl -k -g 'module verification|Loading of|lockdown'"],
        isPrivileged: true)
    ]
  }

  func useRemedies() -> [Remedy] {
    [
      Remedy(
        "Close the program that uses it", actor: .user,
        assumes: "it is one that may be closed; To find out says how to find it")
    ]
  }

  func useLookups(_ path: String) -> [Lookup] {
    [
      Lookup(
        "See which program uses it",
        commands: ["fuser -v \(path.shellQuoted)"])
    ]
  }

  func bandwidthRemedies() -> [Remedy] {
    [
      Remedy(
        "Ask for a smaller picture or a compressed format, or plug the camera into another port",
        actor: .user, assumes: "the new port or format leaves the USB bus enough bandwidth")
    ]
  }

  /// Who has which answer in the store, for a program whose identifier is not known.
  func portalStoreLookups() -> [Lookup] {
    guard confinement.flatpakApplication == nil else { return [] }
    let store = "org.freedesktop.impl.portal.PermissionStore"
    return [
      Lookup(
        "See the stored answers, by application",
        commands: [
          """
          busctl --user call \(store) /org/freedesktop/impl/portal/PermissionStore \(store) \
          Lookup ss devices camera
          """
        ])
    ]
  }

  func portalLookups() -> [Lookup] {
    [
      Lookup(
        "Read what the portal complains about",
        commands: ["systemctl --user status xdg-desktop-portal.service"])
    ]
  }

  /// A backend for the interfaces that the portal asks in vain.
  func portalBackendRemedies() -> [Remedy] {
    guard facts.portal?.problem?.contains("backend") == true else { return [] }
    return [
      Remedy(
        "Install a portal backend that implements them, such as xdg-desktop-portal-gtk",
        actor: .administrator, takesEffect: "after a new login",
        assumes: "portals.conf(5) names no other backend for this desktop")
    ]
  }

  func portalRemedies(_ code: CauseCode) -> [Remedy] {
    // The store knows applications by their identifier, and an empty one stands for all others.
    guard let application = confinement.flatpakApplication else { return [] }
    if code == .portalStoredAsk {
      return [
        Remedy(
          "Store the answer yes, the only one that opening accepts",
          commands: [
            "flatpak permission-set devices camera \(application.shellQuoted) yes"
          ], actor: .user, takesEffect: "when the application asks again",
          assumes: "xdg-desktop-portal and PipeWire are running")
      ]
    }
    return [
      Remedy(
        "Forget the stored answer, so that the portal asks again",
        commands: ["flatpak permission-remove devices camera \(application.shellQuoted)"],
        actor: .user, takesEffect: "when the application asks again",
        assumes: "the user says yes when the portal asks")
    ]
  }
}
