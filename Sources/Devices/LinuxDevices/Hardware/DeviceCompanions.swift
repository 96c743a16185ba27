package import AccessModel

/// The companion nodes of a kind of device, which programs open together with the device.
///
/// For example, libcamera finds a camera only with its media controller and with memory for
/// buffers. A graphics driver may have other nodes in addition to the render nodes.
package struct DeviceCompanions {
  /// The path of the subject's `/dev`.
  var folder: String

  private static let limit = 32

  /// Returns the prefixes of the names of companion nodes and of their folder.
  package static func namePrefixes(of kind: DeviceKind?) -> [String] {
    switch kind {
    case .camera: ["media", "dma_heap", "udmabuf", "vchiq"]
    case .gpu: ["kfd", "nvidia"]
    default: []
    }
  }

  /// Returns the paths of the companion nodes below `/dev`; a folder that cannot be read has none.
  func paths(of kind: DeviceKind) -> [String] {
    guard !Self.namePrefixes(of: kind).isEmpty else { return [] }
    // Most names belong to other devices, so only the matching ones are sorted.
    let own = names(in: folder).map { "/dev/\($0)" }.filter { Self.isCompanion($0, of: kind) }
      .sorted()
    guard kind == .camera else { return Array(own.prefix(Self.limit)) }
    let heaps = names(in: "\(folder)/dma_heap").map { "/dev/dma_heap/\($0)" }.sorted()
    let first = own.firstIndex { !$0.hasPrefix("/dev/media") } ?? own.endIndex
    return Array((own[..<first] + heaps + own[first...]).prefix(Self.limit))
  }

  /// Returns those of the given paths that belong to companion nodes.
  package static func paths(of kind: DeviceKind, among paths: [String]) -> [String] {
    Array(paths.filter { isCompanion($0, of: kind) }.prefix(limit))
  }

  private static func isCompanion(_ path: String, of kind: DeviceKind) -> Bool {
    switch kind {
    case .camera:
      ["/dev/udmabuf", "/dev/vchiq"].contains(path) || path.hasPrefix("/dev/dma_heap/")
        || path.isNumbered(after: "/dev/media")
    case .gpu:
      ["/dev/kfd", "/dev/nvidiactl", "/dev/nvidia-uvm"].contains(path)
        || path.isNumbered(after: "/dev/nvidia")
    default: false
    }
  }

  private func names(in folder: String) -> [String] {
    ((try? Directory.names(in: folder)) ?? nil) ?? []
  }
}
