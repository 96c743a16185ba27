/// A picture in the album.
struct SavedPicture: Equatable, Sendable {
  var path: String
  var width: Int
  var height: Int
}
