package import AccessModel

/// The nodes that programs open together with those of a kind.
///
/// Without media controllers and memory for pictures, libcamera finds no camera; a driver of graphics
/// cards may have nodes of its own next to the render nodes.
package struct DeviceCompanions {
  /// The `/dev` that the subject sees.
  var folder: String

  private static let limit = 32

  /// The prefixes of the names of such nodes and of their folder.
  static func namePrefixes(of kind: DeviceKind?) -> [String] {
    switch kind {
    case .camera: ["media", "dma_heap", "udmabuf", "vchiq"]
    case .gpu: ["kfd", "nvidia"]
    default: []
    }
  }

  /// Paths below `/dev`; a folder that cannot be read has none.
  func paths(of kind: DeviceKind) -> [String] {
    guard !Self.namePrefixes(of: kind).isEmpty else { return [] }
    // Most names are of other devices: only these are sorted.
    let own = names(in: folder).map { "/dev/\($0)" }.filter { Self.isCompanion($0, of: kind) }
      .sorted()
    guard kind == .camera else { return Array(own.prefix(Self.limit)) }
    let heaps = names(in: "\(folder)/dma_heap").map { "/dev/dma_heap/\($0)" }.sorted()
    let first = own.firstIndex { !$0.hasPrefix("/dev/media") } ?? own.endIndex
    return Array((own[..<first] + heaps + own[first...]).prefix(Self.limit))
  }

  /// Those of the paths that are such nodes.
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
