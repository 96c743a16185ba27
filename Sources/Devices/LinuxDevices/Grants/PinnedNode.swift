package import AccessModel
internal import CCapability
internal import CLinux
internal import Glibc

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
