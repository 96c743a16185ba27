/// The schema of the JSON output, which `Documentation/devaccess.schema.json` describes.
///
/// A version may add members. Renaming a member, removing it or changing its meaning requires a new
/// version.
enum Schema {
  static let name = "devaccess/1"
}
