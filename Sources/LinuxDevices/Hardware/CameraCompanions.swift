/// The nodes beside those of a camera pipeline without which libcamera finds no camera: media
/// controllers, and the memory that pictures are put in.
struct CameraCompanions {
  /// The `/dev` that the subject sees.
  var folder: String

  private static let limit = 32

  /// Paths below `/dev`, sorted; a folder that cannot be read has none.
  var paths: [String] {
    let names = names(in: folder)
    let media = names.filter { name in
      name.hasPrefix("media") && name.utf8.count > 5
        && name.utf8.dropFirst(5).allSatisfy { (0x30...0x39).contains($0) }
    }
    let heaps = self.names(in: "\(folder)/dma_heap").map { "dma_heap/\($0)" }
    let others = ["udmabuf", "vchiq"].filter(names.contains)
    return (media + heaps + others).prefix(Self.limit).map { "/dev/\($0)" }
  }

  private func names(in folder: String) -> [String] {
    ((try? Directory.names(in: folder)) ?? nil)?.sorted() ?? []
  }
}
