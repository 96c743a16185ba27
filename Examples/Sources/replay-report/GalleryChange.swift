/// What can happen to a gallery.
enum GalleryChange: Codable, Equatable, Sendable {
  case add(String)
  case select(Int)
  case selectNext
  /// Deletes the picture at a place.
  case delete(Int)
}
