/// The nodes beside those of a camera pipeline without which libcamera finds no camera: media
/// controllers, and the memory that pictures are put in.
package struct CameraCompanions {
  /// The `/dev` that the subject sees.
  var folder: String

  private static let limit = 32
  /// How the names begin that such nodes, and the folder of some, have.
  static let namePrefixes = ["media", "dma_heap", "udmabuf", "vchiq"]

  /// Paths below `/dev`; a folder that cannot be read has none.
  var paths: [String] {
    // Most names are of other devices: only these are sorted.
    let own = names(in: folder).map { "/dev/\($0)" }.filter(Self.isCompanion).sorted()
    let heaps = names(in: "\(folder)/dma_heap").map { "/dev/dma_heap/\($0)" }.sorted()
    let first = own.firstIndex { !$0.hasPrefix("/dev/media") } ?? own.endIndex
    return Array((own[..<first] + heaps + own[first...]).prefix(Self.limit))
  }

  /// Those of the paths that are such nodes.
  package static func paths(among paths: [String]) -> [String] {
    Array(paths.filter(isCompanion).prefix(limit))
  }

  private static func isCompanion(_ path: String) -> Bool {
    if ["/dev/udmabuf", "/dev/vchiq"].contains(path) { return true }
    if path.hasPrefix("/dev/dma_heap/") { return true }
    let number = path.utf8.dropFirst("/dev/media".utf8.count)
    return path.hasPrefix("/dev/media") && !number.isEmpty
      && number.allSatisfy { (0x30...0x39).contains($0) }
  }

  private func names(in folder: String) -> [String] {
    ((try? Directory.names(in: folder)) ?? nil) ?? []
  }
}
