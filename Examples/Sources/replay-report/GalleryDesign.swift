/// The pictures of a gallery, and which one is selected.
struct GalleryDesign: Equatable, Sendable {
  var pictures: [String] = []
  /// The place of the selected picture; `nil` where none is.
  var selection: Int?

  /// What must never be; `nil` where all is well.
  var fault: String? {
    guard let selection, !pictures.indices.contains(selection) else { return nil }
    return "picture \(selection + 1) of \(pictures.count) is selected"
  }
}
