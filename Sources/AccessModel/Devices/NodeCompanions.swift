/// The nodes that programs open together with a node, as far as its name tells.
///
/// Some drivers have one node for each device and others for all of them.
enum NodeCompanions {
  /// The nodes that the driver makes wherever it makes this one, and without which no program can use it.
  static func required(with path: String) -> [String] {
    if path.isNumbered(after: "/dev/nvidia") { return ["/dev/nvidiactl"] }
    if path.isNumbered(after: "/dev/vfio/") { return ["/dev/vfio/vfio"] }
    // Accelerators of Huawei (Ascend).
    if path.isNumbered(after: "/dev/davinci") {
      return ["/dev/davinci_manager", "/dev/devmm_svm", "/dev/hisi_hdc"]
    }
    return []
  }

  /// Those, and of some nodes the ones that programs which compute open as well.
  static func all(with path: String, among nodes: [String]) -> [String] {
    let others = nodes.filter { node in
      switch path {
      case _ where path.isNumbered(after: "/dev/nvidia"): node == "/dev/nvidia-uvm"
      case "/dev/nvidiactl": node == "/dev/nvidia-uvm" || node.isNumbered(after: "/dev/nvidia")
      case "/dev/kfd": node.isNumbered(after: "/dev/dri/renderD")
      default: false
      }
    }
    return required(with: path) + others.prefix(16)
  }
}

extension String {
  /// Whether it consists of these words and a decimal number.
  fileprivate func isNumbered(after stem: String) -> Bool {
    let number = utf8.dropFirst(stem.utf8.count)
    return hasPrefix(stem) && !number.isEmpty && number.allSatisfy { (0x30...0x39).contains($0) }
  }
}
