/// The nodes that programs open together, by name.
///
/// Some drivers have a node for each device, and other nodes that all their devices share.
package enum NodeCompanions {
  /// Returns the nodes that the driver creates along with a node, and that every program needs.
  static func required(with path: String) -> [String] {
    if path.isNumbered(after: nvidia) { return ["/dev/nvidiactl"] }
    if path.isNumbered(after: "/dev/vfio/") { return ["/dev/vfio/vfio"] }
    // Accelerators of Huawei (Ascend).
    if path.isNumbered(after: "/dev/davinci") {
      return ["/dev/davinci_manager", "/dev/devmm_svm", "/dev/hisi_hdc"]
    }
    return []
  }

  /// Returns whether programs open two nodes of the same driver together.
  static func areOpenedTogether(_ path: String, _ other: String) -> Bool {
    let (folder, name) = split(path)
    let (otherFolder, otherName) = split(other)
    switch folder {
    case "/dev" where isNVIDIA(path):
      // Another card is a separate device.
      return isNVIDIA(other)
        && !(path.isNumbered(after: nvidia) && other.isNumbered(after: nvidia))
    case "/dev" where name == "kfd":
      return otherFolder == "/dev/dri" && otherName.hasPrefix("renderD")
    // A tuner, its demultiplexer and its recorder.
    case _ where folder.hasPrefix("/dev/dvb/"): return otherFolder == folder
    case "/dev/snd":
      // ALSA opens the control node of a card before its other nodes.
      let card = name.drop { $0 != "C" }.dropFirst().prefix { $0.isNumber }
      return otherFolder == folder && !card.isEmpty && otherName == "controlC\(card)"
    default: return false
    }
  }

  /// Returns whether a node belongs to NVIDIA's own driver.
  ///
  /// sysfs has no devices for the nodes of that driver.
  package static func isNVIDIA(_ path: String) -> Bool { path.hasPrefix(nvidia) }

  private static let nvidia = "/dev/nvidia"

  private static func split(_ path: String) -> (folder: Substring, name: Substring) {
    let slash = path.lastIndex(of: "/") ?? path.startIndex
    return (path[..<slash], path[slash...].dropFirst())
  }
}

extension String {
  /// Returns whether the string is a stem followed by a decimal number.
  package func isNumbered(after stem: String) -> Bool {
    let number = utf8.dropFirst(stem.utf8.count)
    return hasPrefix(stem) && !number.isEmpty && number.allSatisfy { (0x30...0x39).contains($0) }
  }
}
