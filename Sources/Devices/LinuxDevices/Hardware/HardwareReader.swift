internal import AccessModel

/// Reads attributes, links and directories about hardware, and records those that cannot be read.
///
/// A missing file is a valid result. A file that exists but cannot be read is recorded.
struct HardwareReader {
  private(set) var unobserved: [Unobserved] = []
  /// The cache of searches in files; `nil` for a single observation.
  private let files: KnownFiles?

  static let layer = "hardware"
  /// The maximum number of entries of a directory, which is more than any machine has.
  static let mostNames = 4096
  /// The maximum number of recorded paths; a hidden part of sysfs would lead to thousands.
  private static let mostPlaces = 16

  init(knowing files: KnownFiles? = nil) { self.files = files }

  /// Returns the only line of an attribute; `nil` if it does not exist or cannot be read.
  mutating func line(_ path: String) -> String? {
    scan(at: path) { () throws(Errno) in try BoundedFile.line(path, limit: 256) }
  }

  /// Returns the beginning of a file; `nil` if it does not exist or cannot be read.
  mutating func bytes(_ path: String, limit: Int) -> [UInt8]? {
    scan(at: path) { () throws(Errno) in try BoundedFile.read(path, limit: limit).bytes }
  }

  /// Returns the result of a search in the beginning of a file.
  ///
  /// The result is `nil` if the file does not exist or cannot be read.
  mutating func found(
    _ search: KnownFiles.Search, limit: Int, _ find: ([UInt8]) -> Set<String>
  ) -> Set<String>? {
    scan(at: search.path) { [files] () throws(Errno) in
      guard let files else {
        return find(try BoundedFile.read(search.path, limit: limit).bytes)
      }
      return try files.names(search, limit: limit, find)
    }
  }

  /// Returns the names in a directory, sorted; `nil` if it does not exist or cannot be read.
  mutating func names(in path: String) -> [String]? {
    let names = scan(at: path) { () throws(Errno) in try Directory.names(in: path) } ?? nil
    return names?.prefix(Self.mostNames).sorted()
  }

  /// Returns whether a file exists; `nil` if that cannot be determined.
  mutating func isThere(_ path: String) -> Bool? {
    do throws(Errno) {
      _ = try FileStamp(of: path)
      return true
    } catch {
      if error == .noSuchFile || error == .notDirectory { return false }
      note(path, error)
      return nil
    }
  }

  /// Returns the last name in a symbolic link's target, such as the driver of a device.
  ///
  /// The name is empty if the link does not exist, and `nil` if that cannot be determined.
  mutating func linkName(at path: String) -> String? {
    do throws(Errno) {
      guard let target = try SymbolicLink.read(path) else { return "" }
      return AbsolutePath.components(of: target).last ?? ""
    } catch {
      note(path, error)
      return nil
    }
  }

  mutating func note(_ path: String, reason: String) {
    guard unobserved.count < Self.mostPlaces else { return }
    unobserved.append(Unobserved(Self.layer, at: path, reason: reason))
  }

  /// Records what another reader could not read.
  mutating func note(_ others: [Unobserved]) {
    unobserved += others.prefix(max(0, Self.mostPlaces - unobserved.count))
  }

  private mutating func note(_ path: String, _ error: Errno) {
    note(path, reason: error.reason)
  }

  private mutating func scan<Value>(
    at path: String, _ body: () throws(Errno) -> Value
  ) -> Value? {
    do throws(Errno) {
      return try body()
    } catch {
      // The attributes of a device that was unplugged in the meantime return ENODEV or ENXIO.
      switch error {
      case .noSuchFile, .notDirectory, .noSuchDevice, .noSuchAddress: break
      default: note(path, error)
      }
      return nil
    }
  }
}
