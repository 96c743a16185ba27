import Foundation

/// A file to write.
struct SourceFile {
  let url: URL
  let text: String

  /// Describes a file; the text gets the line feed at its end.
  init(_ path: String, in folder: URL, _ text: String) {
    url = folder.appending(path: path)
    self.text = text + "\n"
  }
}
