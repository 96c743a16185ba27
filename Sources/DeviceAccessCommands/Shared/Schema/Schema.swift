/// The name and version of the JSON output, described in `Documentation/devaccess.schema.json`.
///
/// Members may be added within a version. Nothing is renamed, removed or given another meaning
/// without a new one.
enum Schema {
  static let name = "devaccess/1"
}
