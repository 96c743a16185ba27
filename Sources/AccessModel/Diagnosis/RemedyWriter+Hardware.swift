/// Remedies for hardware without a node, for devices in use, and for the portal.
extension RemedyWriter {
  func hardwareRemedies(_ cause: Cause) -> [Remedy] {
    switch cause.code {
    case .nodeAbsentNoDriver:
      guard let unbound = facts.hardware?.unbound.first(where: { $0.sysfsPath == cause.at }) else {
        return absenceRemedies()
      }
      return [
        Remedy(
          "Load the driver", commands: ["modprobe \(unbound.module.shellQuoted)"],
          actor: .administrator)
      ]
    case .moduleLoadRefused:
      return [
        Remedy(
          "Read why the kernel refuses the module, and load a signed one on the host",
          commands: ["journalctl -k -g 'module verification|Loading of|lockdown'"],
          actor: .administrator)
      ]
    case .moduleNotBuilt:
      return [
        Remedy(
          "Install the headers of the running kernel and build the module again",
          commands: ["apt-get install linux-headers-$(uname -r)", "dkms autoinstall"],
          actor: .administrator)
      ]
    default:
      return [
        Remedy(
          "Switch the camera on: its key or shutter, the firmware's settings, or the attribute",
          commands: [], actor: .user)
      ]
    }
  }

  func useRemedies(_ code: CauseCode, _ path: String) -> [Remedy] {
    if code == .busy {
      return [
        Remedy(
          "See which program uses it, and close that one",
          commands: ["fuser -v \(path.shellQuoted)"], actor: .user)
      ]
    }
    return [
      Remedy(
        "Ask for a smaller picture or a compressed format, or plug the camera into another port",
        commands: [], actor: .user)
    ]
  }

  func portalRemedies(_ code: CauseCode) -> [Remedy] {
    if code == .portalService {
      return [
        Remedy(
          "Read what the portal complains about",
          commands: ["systemctl --user status xdg-desktop-portal.service"], actor: .user)
      ]
    }
    let application = confinement.flatpakApplication ?? "\"\""
    if code == .portalStoredAsk {
      return [
        Remedy(
          "Store the answer yes, which opening takes",
          commands: ["flatpak permission-set devices camera \(application) yes"], actor: .user,
          takesEffect: "when the application asks again")
      ]
    }
    return [
      Remedy(
        "Forget the stored answer, so that the portal asks again",
        commands: ["flatpak permission-remove devices camera \(application)"], actor: .user,
        takesEffect: "when the application asks again")
    ]
  }
}
