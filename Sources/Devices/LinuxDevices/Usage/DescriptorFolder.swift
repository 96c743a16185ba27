internal import AccessModel
internal import CLinux
internal import Glibc

/// The folder of a process's descriptors in `/proc`, which is held open.
///
/// The kernel assigns the lowest free number to a new descriptor, so most processes use the numbers
/// from 0 without a gap. These numbers are inspected one by one. That is faster than listing the
/// folder, because the kernel would look up each listed descriptor too. Only the descriptors after
/// the first gap are listed. A descriptor that stays open is never missed: it is either below the
/// gap, where every number is inspected, or in the list.
struct DescriptorFolder: ~Copyable {
  private let directory: OpenDirectory

  /// The offset of descriptor 0 in the folder, after the entries `.` and `..`.
  private static let firstPlace = 2

  init(_ name: String, in folder: borrowing OpenDirectory) throws(Errno) {
    directory = try OpenDirectory(name, in: folder.descriptor)
  }

  /// Opens the folder of the process, which is the parent of this folder.
  func process() throws(Errno) -> OpenDirectory {
    try OpenDirectory("..", in: directory.descriptor)
  }

  /// Calls a closure with each open file and the number of its descriptor.
  ///
  /// - Parameters:
  ///   - startsAtNumbers: Whether the list can be read starting at a given descriptor number.
  ///   - buffer: Memory to read into; its contents do not matter.
  ///   - body: Receives an open file, or `nil` if it cannot be inspected. For example, the server
  ///     of a user-mounted filesystem may refuse that, even to root.
  /// - Throws: The error that `body` throws, or the error that prevents reading the folder.
  func each(
    startsAtNumbers: Bool, _ buffer: inout [UInt8],
    _ body: (OpenFile?, UInt32) throws(Errno) -> Void
  ) throws(Errno) {
    if startsAtNumbers { try eachUntilGap(body) }
    while let end = try DirectoryEntries.fill(&buffer, from: directory.descriptor) {
      var entries = DirectoryEntries(end: end)
      while let name = entries.next(in: buffer) {
        guard let number = DirectoryEntries.number(at: name, in: buffer) else { continue }
        if case .some(let file) = try file(number) { try body(file, number) }
      }
    }
  }

  /// Calls a closure with the files from descriptor 0 to the first gap, and moves the list to the
  /// gap.
  private func eachUntilGap(_ body: (OpenFile?, UInt32) throws(Errno) -> Void) throws(Errno) {
    // The size of the folder is the number of open descriptors (Linux 6.2), or 0. It may change at
    // any time, so it is only a hint, which saves inspecting the number after the last descriptor.
    // Even with that inspection, this is less work than listing all descriptors.
    var status = stat()
    try Errno.check(unsafe fstat(directory.descriptor, &status))
    let count = status.st_size > 0 ? UInt32(clamping: status.st_size) : .max
    var number: UInt32 = 0
    while number < count, case .some(let file) = try file(number) {
      try body(file, number)
      number += 1
    }
    guard number > 0 else { return }
    try seek(to: number)
  }

  /// Returns the file of a descriptor, or `nil` if it is not open.
  ///
  /// The result contains `nil` if the descriptor is open but its file cannot be inspected.
  private func file(_ number: UInt32) throws(Errno) -> OpenFile?? {
    do throws(Errno) {
      return try OpenFile(followingDescriptor: number, in: directory.descriptor)
    } catch {
      if error == .noSuchFile { return nil }
      if error.isOfResources || error.isOfEndedProcess { throw error }
      return .some(nil)
    }
  }

  private func seek(to number: UInt32) throws(Errno) {
    let place = Self.firstPlace + Int(number)
    guard lseek(directory.descriptor, place, SEEK_SET) == place else { throw .current }
  }

  // MARK: Trying it

  /// Returns whether a list of descriptors can be read starting at a given number.
  ///
  /// Linux has always supported that, but does not document it, so the function tries it with this
  /// process's descriptors.
  static func startsAtNumbers(proc: String) -> Bool {
    do throws(Errno) {
      let process = try OpenDirectory("\(proc)/self")
      let folder = try DescriptorFolder("fd", in: process)
      var buffer = [UInt8](repeating: 0, count: 1 << 14)
      let all = try folder.numbers(from: 0, &buffer)
      guard let last = all.last, all == all.sorted() else { return false }
      for number in Set([all[0] + 1, all[all.count / 2], last, last + 1]) {
        guard try folder.numbers(from: number, &buffer) == all.filter({ $0 >= number }) else {
          return false
        }
      }
      return true
    } catch {
      return false
    }
  }

  private func numbers(from first: UInt32, _ buffer: inout [UInt8]) throws(Errno) -> [UInt32] {
    try seek(to: first)
    var numbers: [UInt32] = []
    while let end = try DirectoryEntries.fill(&buffer, from: directory.descriptor) {
      var entries = DirectoryEntries(end: end)
      while let name = entries.next(in: buffer) {
        if let number = DirectoryEntries.number(at: name, in: buffer) { numbers.append(number) }
      }
    }
    return numbers
  }
}

/// The flags of an open descriptor, from `/proc/PID/fdinfo/N` (proc_pid_fdinfo(5)).
struct DescriptorFlags: Hashable, Sendable {
  /// The flags for open(2).
  var flags: UInt32

  /// Parses the line that contains the flags; returns `nil` if it is missing or malformed.
  init?(parsing bytes: [UInt8]) {
    let key = Array("flags:".utf8)
    for line in bytes.split(separator: ByteScanner.newline) where line.starts(with: key) {
      guard let word = ByteScanner.words(line.dropFirst(key.count)).first, word.count <= 16,
        let flags = UInt32(String(decoding: word, as: UTF8.self), radix: 8)
      else { return nil }
      self.flags = flags
      return
    }
    return nil
  }

  /// A Boolean value that indicates whether the descriptor only refers to the node (`O_PATH`).
  ///
  /// Such a descriptor does not open the device.
  var isPathOnly: Bool { flags & 0o1000_0000 != 0 }

  /// The access mode; empty for mode 3, which permits only ioctl(2).
  var access: Permissions {
    switch flags & 3 {
    case 0: .read
    case 1: .write
    case 2: [.read, .write]
    default: []
    }
  }
}

/// A process's descriptor that refers to a device.
struct SeenDescriptor: Sendable {
  /// The process, or the thread with its own descriptors.
  var owner: Int32
  var number: UInt32
  var device: NodeNumber

  /// The maximum number of descriptors to compare, which exceeds a camera's usual number of users.
  private static let most = 64

  /// Returns the minimum number of open files behind some descriptors, or `nil` if there are too
  /// many.
  ///
  /// Copies that dup(2) and fork(2) create refer to the same open file (kcmp(2)). Descriptors that
  /// cannot be compared count as copies.
  static func fileCount(_ descriptors: [SeenDescriptor]) -> Int? {
    guard descriptors.count <= most else { return nil }
    var files: [SeenDescriptor] = []
    for descriptor in descriptors where files.allSatisfy({ $0.comparison(with: descriptor) > 0 }) {
      files.append(descriptor)
    }
    return files.count
  }

  /// A descriptor, and the process that contains its owner.
  typealias Held = (process: Int32, descriptor: SeenDescriptor)

  /// Groups the processes that share an open file.
  ///
  /// - Parameter descriptors: Descriptors of processes; a process may have several.
  /// - Returns: The lowest process ID in the group of each process that shares a file.
  static func sharing(_ descriptors: [Held]) -> [Int32: Int32] {
    guard descriptors.count <= most else { return [:] }
    let descriptors = descriptors.sorted { $0.process < $1.process }
    var least: [Int32: Int32] = [:]
    for (index, one) in descriptors.enumerated() {
      for other in descriptors[(index + 1)...]
      where other.process != one.process && one.descriptor.comparison(with: other.descriptor) == 0 {
        // Either process may already be in a group because of another file.
        let groups = [least[one.process] ?? one.process, least[other.process] ?? other.process]
        let first = min(groups[0], groups[1])
        for (process, group) in least where groups.contains(group) { least[process] = first }
        (least[one.process], least[other.process]) = (first, first)
      }
    }
    return least
  }

  /// Returns 0 if both refer to the same open file, a positive number if not, and a negative number
  /// if unknown.
  private func comparison(with other: SeenDescriptor) -> Int32 {
    guard device == other.device else { return 1 }
    return clinux_compare_files(owner, other.owner, UInt(number), UInt(other.number))
  }
}

/// Reads the total number of bytes that a process has written, from its `io` file (proc_pid_io(5)).
enum WrittenBytes {
  private static let key = Array("wchar: ".utf8)

  /// Returns the number of bytes that write(2) and similar calls accepted.
  ///
  /// - Parameter folder: A descriptor of the process's folder in `/proc`.
  /// - Returns: The number, or `nil` if it is not available.
  static func read(in folder: Int32) -> UInt64? {
    guard let file = try? BoundedFile.read("io", in: folder, limit: 4096) else { return nil }
    for line in file.bytes.split(separator: ByteScanner.newline) where line.starts(with: key) {
      return UInt64(String(decoding: line.dropFirst(key.count), as: UTF8.self))
    }
    return nil
  }
}
