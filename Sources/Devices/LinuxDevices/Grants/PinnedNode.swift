package import AccessModel
internal import CCapability
internal import CLinux
internal import Glibc
internal import Synchronization

/// A device, file or directory that is pinned by a descriptor (`O_PATH`).
///
/// Its path is resolved only once and need not be trusted again. Pinning does not open the object:
/// no driver is called, and no permission on the object is needed. Changing the ACL requires
/// `CAP_FOWNER` or ownership of the object.
package struct PinnedNode: ~Copyable, Sendable {
  private let descriptor: OwnedDescriptor
  /// The inode, which identifies the object.
  package let inode: GrantedObject.Inode
  /// The type of the object.
  package let type: FileType
  /// The owner, as a user ID in the user namespace of this process.
  package let owner: UInt32
  /// A Boolean value that indicates whether the object is lost when the system stops.
  package let isInMemory: Bool

  /// Pins the object at an absolute path, without following any symbolic link.
  ///
  /// - Throws: `wrongObject` if the path contains a link, `absent` if nothing exists there.
  package init(path: String) throws(GrantError) {
    do throws(Errno) {
      try self.init(adopting: try Self.walk(path))
    } catch {
      throw Self.failure(error, path)
    }
  }

  /// Pins the object of a descriptor, which the caller continues to own.
  ///
  /// - Parameters:
  ///   - number: The descriptor, opened in any mode.
  ///   - path: The name of the object in errors.
  /// - Throws: `failed` if the descriptor cannot be duplicated or the object's type is not
  ///   supported.
  package init(duplicating number: Int32, calledBy path: String) throws(GrantError) {
    do throws(Errno) {
      try self.init(adopting: try OwnedDescriptor(fcntl(number, F_DUPFD_CLOEXEC, 3)))
    } catch {
      throw Self.failure(error, path)
    }
  }

  private init(adopting descriptor: consuming OwnedDescriptor) throws(Errno) {
    var status = stat()
    try Errno.check(unsafe fstat(descriptor.number, &status))
    guard let type = FileType(mode: UInt32(status.st_mode)) else { throw .notSupported }
    self.type = type
    owner = status.st_uid
    inode = GrantedObject.Inode(
      filesystem: UInt64(status.st_dev), number: UInt64(status.st_ino),
      device: type.isDevice
        ? DeviceNumber(major: clinux_major(status.st_rdev), minor: clinux_minor(status.st_rdev))
        : nil)
    isInMemory = clinux_is_in_memory(descriptor.number)
    self.descriptor = descriptor
  }

  /// Takes ownership of the result of a shim, which is a descriptor opened with `O_PATH` or
  /// `-errno`.
  init(taking result: Int32) throws(Errno) {
    try self.init(adopting: try OwnedDescriptor(negated: result))
  }

  /// The descriptor, for calls that do not close it.
  var number: Int32 { descriptor.number }

  /// A Boolean value that indicates whether the object no longer has a name.
  package var isRemoved: Bool {
    var status = stat()
    return unsafe fstat(descriptor.number, &status) != 0 || status.st_nlink == 0
  }

  private static func walk(_ path: String) throws(Errno) -> OwnedDescriptor {
    guard path.utf8.first == UInt8(ascii: "/") else { throw .invalidArgument }
    let names = AbsolutePath.components(of: path).filter { $0 != "." }
    guard !names.contains("..") else { throw .invalidArgument }
    var place = try OwnedDescriptor(
      negated: unsafe clinux_pin(AT_FDCWD, ByteText("/").cString, true))
    for (index, name) in names.enumerated() {
      let isLast = index == names.count - 1
      let next = try OwnedDescriptor(
        negated: unsafe clinux_pin(place.number, ByteText(name).cString, !isLast))
      place = next
    }
    // If the last name is a symbolic link, the descriptor refers to the link itself.
    var status = stat()
    try Errno.check(unsafe fstat(place.number, &status))
    guard status.st_mode & S_IFMT != S_IFLNK else { throw .tooManyLinks }
    return place
  }

  private static func failure(_ error: Errno, _ path: String) -> GrantError {
    switch error {
    case .noSuchFile: GrantError(.absent, at: path, "no such file or directory")
    case .tooManyLinks, .notDirectory:
      GrantError(
        .wrongObject, at: path,
        "the path contains a file, or a symbolic link that others can change")
    case .invalidArgument:
      GrantError(.wrongObject, at: path, "the path must be absolute, without '..'")
    default: GrantError(at: path, unableTo: "hold it", error)
    }
  }

  /// The current path; `nil` if no path that this process sees leads to the object.
  package var path: String? {
    borrowing get {
      guard let path = SymbolicLink.target(of: "/proc/self/fd/\(descriptor.number)"),
        isStill(at: path)
      else { return nil }
      return path
    }
  }

  /// Returns whether the path still leads to this object and the object has not been removed.
  package borrowing func isStill(at path: String) -> Bool {
    guard !isRemoved, let found = try? PinnedNode(path: path) else { return false }
    return found.inode == inode
  }

  /// Opens the pinned object, even if its path now leads elsewhere.
  ///
  /// The call does not wait for the device. The only link that it follows is the one in `/proc` to
  /// the pinned object.
  ///
  /// - Parameters:
  ///   - permissions: The access to open the object for.
  ///   - path: The name of the object in errors.
  /// - Throws: `notPermitted` if the kernel refuses access, `failed` with the error of the driver.
  /// - Returns: The open device.
  package borrowing func open(
    for permissions: Permissions, calledBy path: String
  ) throws(GrantError) -> DeviceDescriptor {
    do throws(Errno) {
      let number = clinux_open_held(descriptor.number, permissions.accessMode)
      return DeviceDescriptor(adopting: try Errno.check(negated: number))
    } catch {
      throw GrantError(at: path, unableTo: "open it", error)
    }
  }

  // MARK: - Access control list

  /// Returns the ACL, or the ACL that is equivalent to the mode.
  ///
  /// - Throws: `failed` if it cannot be read, for example without `/proc`.
  package borrowing func list(calledBy path: String) throws(GrantError) -> AccessList {
    do throws(Errno) {
      var status = stat()
      try Errno.check(unsafe fstat(descriptor.number, &status))
      guard let list = AccessList(try entries(mode: UInt32(status.st_mode))) else {
        throw .inputOutput
      }
      return list
    } catch {
      throw GrantError(at: path, unableTo: "read its access list", error)
    }
  }

  private borrowing func entries(mode: UInt32) throws(Errno) -> [ACLEntry] {
    var bytes: [UInt8] = []
    var count = 0
    // The kernel allocates a buffer of the same size, and most ACLs are short. None is longer than
    // XATTR_SIZE_MAX.
    for size in [512, 65536] {
      bytes = [UInt8](repeating: 0, count: size)
      count = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe clinux_held_list(descriptor.number, buffer.baseAddress, buffer.count)
      }
      if count != -Int(ERANGE) { break }
    }
    guard count >= 0 else {
      let error = Errno(negated: Int32(clamping: count))
      guard error == .noData else { throw error }
      let bits = { (shift: UInt32) in
        Permissions(rawValue: UInt8(truncatingIfNeeded: (mode >> shift) & 7))
      }
      return [
        ACLEntry(.user, nil, bits(6)), ACLEntry(.group, nil, bits(3)),
        ACLEntry(.other, nil, bits(0)),
      ]
    }
    bytes.removeLast(bytes.count - count)
    guard let entries = ACLEntry.list(parsing: bytes) else { throw .inputOutput }
    return entries
  }

  /// Writes the ACL, and reads it back.
  ///
  /// - Throws: `notPermitted` without the required privilege, `changed` if the ACL was changed in
  ///   the meantime.
  package borrowing func set(_ list: AccessList, calledBy path: String) throws(GrantError) {
    let bytes = list.attribute
    let result = unsafe bytes.withUnsafeBytes { buffer in
      unsafe clinux_set_held_list(descriptor.number, buffer.baseAddress, buffer.count)
    }
    do throws(Errno) {
      try Errno.check(negated: result)
    } catch {
      throw GrantError(at: path, unableTo: "set its access list", error)
    }
    guard try self.list(calledBy: path) == list else {
      throw GrantError(.changed, at: path, "its access list changed while it was set")
    }
  }

  /// Returns whether this thread may change the ACL, as the owner or with `CAP_FOWNER`.
  package borrowing func mayChange() -> Bool {
    if owner == geteuid() { return true }
    guard let state = try? CapabilityState(),
      let effective = try? state.members(of: CAP_EFFECTIVE)
    else { return false }
    return effective.contains(.actAsFileOwner)
  }
}

/// Identifies inodes by the file handles of their filesystem (name_to_handle_at(2)).
extension PinnedNode {
  /// The file handle, for ``GrantedObject/handle``; `nil` if the filesystem does not support
  /// handles.
  package var handle: String? {
    borrowing get {
      var handle = clinux_handle()
      guard unsafe clinux_name(number, &handle) == 0 else { return nil }
      let bytes = unsafe withUnsafeBytes(of: handle.bytes) { bytes in
        unsafe Array(bytes.prefix(Int(handle.count)))
      }
      return "\(handle.type):" + bytes.map(Self.digits).joined()
    }
  }

  /// Returns whether this is the inode in the record of a grant.
  ///
  /// A filesystem reuses the number of a removed inode, and ext4 often does so for the next file.
  /// If both handles are known, they distinguish the inodes.
  ///
  /// - Parameter object: The object in the record.
  /// - Returns: `true` if it is the same inode.
  package borrowing func isInode(of object: GrantedObject) -> Bool {
    guard inode == object.inode else { return false }
    guard let known = object.handle, let handle else { return true }
    return known == handle
  }

  /// Finds and pins an inode, wherever it was moved to in its filesystem.
  ///
  /// The result is `nil` if the inode was removed, or without `CAP_DAC_READ_SEARCH`.
  ///
  /// - Parameters:
  ///   - text: The ``handle`` of the inode.
  ///   - inode: The expected inode.
  ///   - path: The earlier path of the object. Its nearest existing directory leads to the
  ///     filesystem.
  package init?(handle text: String, of inode: GrantedObject.Inode, calledBy path: String) {
    guard var handle = Self.handle(text) else { return nil }
    var place = AbsolutePath.parent(of: path)
    while true {
      if let directory = try? PinnedNode(path: place), directory.type == .directory,
        directory.inode.filesystem == inode.filesystem
      {
        guard
          let found = try? PinnedNode(
            taking: unsafe clinux_pin_named(directory.number, &handle)),
          found.inode == inode, !found.isRemoved
        else { return nil }
        self = found
        return
      }
      guard place != "/" else { return nil }
      place = AbsolutePath.parent(of: place)
    }
  }

  private static func digits(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16)
  }

  /// Parses a handle from a record, which is untrusted.
  private static func handle(_ text: String) -> clinux_handle? {
    let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard parts.count == 2, let type = Int32(String(Substring(parts[0]))) else { return nil }
    let digits = parts[1].map { Character(Unicode.Scalar($0)).hexDigitValue }
    var handle = clinux_handle()
    let space = MemoryLayout.size(ofValue: handle.bytes)
    guard digits.count.isMultiple(of: 2), digits.count / 2 <= space, !digits.contains(nil) else {
      return nil
    }
    handle.type = type
    handle.count = UInt32(digits.count / 2)
    unsafe withUnsafeMutableBytes(of: &handle.bytes) { bytes in
      for index in 0..<digits.count / 2 {
        unsafe bytes[index] = UInt8((digits[2 * index] ?? 0) << 4 | (digits[2 * index + 1] ?? 0))
      }
    }
    return handle
  }
}

/// Uses inode numbers to find files that were moved within a folder.
///
/// Only root can look up files by their handles in the filesystem. The folder is read once.
package final class MovedFiles: Sendable {
  /// The paths of each inode number, after the folder was read.
  private let paths = Mutex<[UInt64: [String]]?>(nil)

  /// The maximum number of names to read, and the maximum depth.
  private static let mostNames = 200_000
  private static let mostDepth = 64

  package init() {}

  /// Finds and pins the inode of a grant.
  ///
  /// - Parameters:
  ///   - object: The object in the record of the grant.
  ///   - folder: Returns the absolute path of the folder, or `nil` if there is none. It is called
  ///     once.
  /// - Returns: The inode; `nil` if no known name in the folder leads to it.
  package func find(_ object: GrantedObject, below folder: () -> String?) -> PinnedNode? {
    let found = paths.withLock { paths in
      let all = paths ?? folder().map(Self.read) ?? [:]
      paths = all
      return all[object.inode.number] ?? []
    }
    for path in found {
      if let node = try? PinnedNode(path: path), node.isInode(of: object) { return node }
    }
    return nil
  }

  /// Returns the readable paths in a folder that are on the same filesystem.
  private static func read(_ folder: String) -> [UInt64: [String]] {
    guard let root = try? PinnedNode(path: folder), root.type == .directory else { return [:] }
    var paths = [root.inode.number: [folder]]
    var places = [(path: folder, depth: 0)]
    var left = mostNames
    while let place = places.popLast() {
      guard let directory = try? PinnedNode(path: place.path), directory.type == .directory,
        directory.inode.filesystem == root.inode.filesystem,
        let entries = try? Directory.numbers(in: place.path)
      else { continue }
      left -= entries.count
      guard left >= 0 else { break }
      for entry in entries {
        let path = "\(place.path)/\(entry.name)"
        paths[entry.number, default: []].append(path)
        if entry.isDirectory, place.depth < mostDepth { places.append((path, place.depth + 1)) }
      }
    }
    return paths
  }
}
