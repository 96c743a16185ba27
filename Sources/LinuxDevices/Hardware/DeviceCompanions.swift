package import AccessModel

/// The nodes that programs open together with those of a kind.
///
/// Without media controllers and memory for pictures, libcamera finds no camera; a driver of graphics
/// cards may have nodes of its own next to the render nodes.
package struct DeviceCompanions {
  /// The `/dev` that the subject sees.
  var folder: String

  private static let limit = 32

  /// How the names begin that such nodes, and the folder of some, have.
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
        || isNumbered(path, "/dev/media")
    case .gpu:
      ["/dev/kfd", "/dev/nvidiactl", "/dev/nvidia-uvm"].contains(path)
        || isNumbered(path, "/dev/nvidia")
    default: false
    }
  }

  private static func isNumbered(_ path: String, _ stem: String) -> Bool {
    let number = path.utf8.dropFirst(stem.utf8.count)
    return path.hasPrefix(stem) && !number.isEmpty
      && number.allSatisfy { (0x30...0x39).contains($0) }
  }

  private func names(in folder: String) -> [String] {
    ((try? Directory.names(in: folder)) ?? nil) ?? []
  }
}
