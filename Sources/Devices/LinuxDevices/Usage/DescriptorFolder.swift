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
