internal import AccessModel

/// Reads attributes, links and directories about hardware, and keeps what could not be read.
///
/// What is missing is an answer; what is there and cannot be read is not.
struct HardwareReader {
  private(set) var unobserved: [Unobserved] = []
  /// What was found in files before; `nil` where nobody looks again.
  private let files: KnownFiles?

  static let layer = "hardware"
  /// Directories of more entries than any machine has are cut.
  static let mostNames = 4096
  /// As many places are named; a hidden tree would give thousands.
  private static let mostPlaces = 16

  init(knowing files: KnownFiles? = nil) { self.files = files }

  /// The one line of an attribute; `nil` where there is none or it cannot be read.
  mutating func line(_ path: String) -> String? {
    look(at: path) { () throws(Errno) in try BoundedFile.line(path, limit: 256) }
  }

  /// The beginning of a file; `nil` where there is none or it cannot be read.
  mutating func bytes(_ path: String, limit: Int) -> [UInt8]? {
    look(at: path) { () throws(Errno) in try BoundedFile.read(path, limit: limit).bytes }
  }

  /// What a search in the beginning of a file gives; `nil` where there is none or it cannot be read.
  mutating func found(
    _ search: KnownFiles.Search, limit: Int, _ find: ([UInt8]) -> Set<String>
  ) -> Set<String>? {
    look(at: search.path) { [files] () throws(Errno) in
      guard let files else {
        return find(try BoundedFile.read(search.path, limit: limit).bytes)
      }
      return try files.names(search, limit: limit, find)
    }
  }

  /// The names in a directory, sorted; `nil` where there is none or it cannot be read.
  mutating func names(in path: String) -> [String]? {
    let names = look(at: path) { () throws(Errno) in try Directory.names(in: path) } ?? nil
    return names?.prefix(Self.mostNames).sorted()
  }

  /// Whether something is at a path; `nil` where that cannot be told.
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

  /// The last name of a symbolic link's target, such as the driver of a device; empty where there is
  /// no link, and `nil` where that cannot be told.
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

  /// Notes what another reader could not read.
  mutating func note(_ others: [Unobserved]) {
    unobserved += others.prefix(max(0, Self.mostPlaces - unobserved.count))
  }

  private mutating func note(_ path: String, _ error: Errno) {
    note(path, reason: error.reason)
  }

  private mutating func look<Value>(
    at path: String, _ body: () throws(Errno) -> Value
  ) -> Value? {
    do throws(Errno) {
      return try body()
    } catch {
      // A device that was unplugged meanwhile answers ENODEV or ENXIO.
      switch error {
      case .noSuchFile, .notDirectory, .noSuchDevice, .noSuchAddress: break
      default: note(path, error)
      }
      return nil
    }
  }
}
