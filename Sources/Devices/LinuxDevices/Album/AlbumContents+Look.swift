internal import AccessModel
internal import CLinux
internal import Glibc

extension AlbumContents {
  /// Checks which files of a directory are readable, without opening them.
  ///
  /// The kernel decides for each file. A file is in neither list if the check is unavailable or
  /// fails for a reason other than permissions. Sockets, pipes and devices are left out. Symbolic
  /// links are followed.
  ///
  /// - Throws: The error from listing the directory.
  init(at path: String) throws(Errno) {
    self.init(readable: [], unreadable: [])
    let directory = try OpenDirectory(path)
    var buffer = [UInt8](repeating: 0, count: 1 << 15)
    var count = 0
    while let end = try DirectoryEntries.fill(&buffer, from: directory.descriptor) {
      var entries = DirectoryEntries(end: end)
      while let place = entries.next(in: buffer) {
        guard count < Self.mostFiles else {
          isComplete = false
          sort()
          return
        }
        count += 1
        add(ByteText(bytes: Array(buffer[place...].prefix { $0 != 0 })).text, path, directory)
      }
    }
    sort()
  }

  private mutating func sort() {
    readable.sort()
    unreadable.sort()
  }

  private mutating func add(_ name: String, _ path: String, _ directory: borrowing OpenDirectory) {
    var status = stat()
    guard
      unsafe fstatat(directory.descriptor, ByteText(name).cString, &status, 0) == 0,
      status.st_mode & S_IFMT == S_IFREG
    else { return }
    switch FileAccessCheck.ask("\(path)/\(name)", .read) {
    case .success?: readable.append(name)
    case .permissionDenied?, .notPermitted?: unreadable.append(name)
    default: break
    }
  }
}
