import Glibc

/// The files of this repository that tests compare with the code.
enum Repository {
  private static let root = #filePath.split(separator: "/").dropLast(4)
    .reduce(into: "") { $0 += "/" + $1 }

  /// Returns the path of a file, given its path from the repository root.
  static func path(_ path: String) -> String { root + "/" + path }

  /// Reads a file, given its path from the repository root.
  static func read(_ path: String) throws -> String {
    try read(path: Self.path(path))
  }

  static func read(path: String) throws -> String {
    guard let file = unsafe fopen(path, "r") else {
      throw TestFailure(description: "cannot read \(path)")
    }
    defer { unsafe fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = unsafe fread(&buffer, 1, buffer.count, file)
      guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
      bytes += buffer[..<count]
    }
  }
}
