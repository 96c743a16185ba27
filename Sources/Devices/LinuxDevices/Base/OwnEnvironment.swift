internal import AccessModel

/// The environment that this process was started with.
enum OwnEnvironment {
  /// The variables as `NAME=VALUE`; empty if `/proc` cannot be read.
  static var variables: [String] {
    guard let file = try? BoundedFile.read("/proc/self/environ", limit: 1 << 22) else { return [] }
    return file.bytes.split(separator: 0).map { ByteText(bytes: Array($0)).text }
  }
}
