internal import AccessModel
internal import CLinux
internal import Glibc

/// The folder of a process's descriptors below `/proc`, held open.
///
/// A process gets the lowest number that is free, so that most have descriptors from 0 up without a
/// gap. Looking at these one by one spares the kernel a list of them, for which it looks each of
/// them up as well; only from the first gap on they are listed. A descriptor that stays open is
/// never missed: it is below the gap, where every number was looked at, or it is in the list.
struct DescriptorFolder: ~Copyable {
  private let directory: OpenDirectory

  /// In this folder the place of an entry is its number and two, for `.` and `..`.
  private static let firstPlace = 2

  init(_ name: String, in folder: borrowing OpenDirectory) throws(Errno) {
    directory = try OpenDirectory(name, in: folder.descriptor)
  }

  /// Opens the folder of the process, which this one is in.
  func process() throws(Errno) -> OpenDirectory {
    try OpenDirectory("..", in: directory.descriptor)
  }

  /// Hands over every open file, with the number of its descriptor.
  ///
  /// - Parameters:
  ///   - startsAtNumbers: Whether the list may be read from a number on.
  ///   - buffer: Memory to read into; what it holds does not matter.
  ///   - body: Takes one file; `nil` for one of which nothing is told, such as by the server of a filesystem
  ///     of users, who may refuse that to root as well.
  /// - Throws: What `body` throws, and the error that keeps the folder from being read.
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

  /// Hands over the files from descriptor 0 up to the first gap, where the list then begins.
  private func eachUntilGap(_ body: (OpenFile?, UInt32) throws(Errno) -> Void) throws(Errno) {
    // The size is how many are open (Linux 6.2), or 0. It may change at any time, and is only a
    // hint: it spares the question for a descriptor behind the last one. To ask that question is
    // still less work than to list them all.
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

  /// The file of a descriptor, `nil` within where nothing is told of it; `nil` when it is not open.
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

  /// Whether the list of descriptors can be read from a number on, tried on those of this process.
  ///
  /// Linux has always done so, but promises it nowhere.
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
