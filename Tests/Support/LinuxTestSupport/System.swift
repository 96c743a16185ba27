import Glibc

/// A system call that failed while a test prepared its environment.
package struct SystemError: Error, CustomStringConvertible {
  package var call: String
  package var errno: Int32

  package init(call: String, errno: Int32) {
    self.call = call
    self.errno = errno
  }

  package var description: String { "\(call): errno \(errno)" }

  package static func check(_ result: Int32, _ call: String) throws {
    if result != 0 { throw SystemError(call: call, errno: Glibc.errno) }
  }
}

package func makeLink(_ path: String, to target: [UInt8]) throws {
  let bytes = target.map { CChar(truncatingIfNeeded: $0) } + [0]
  try SystemError.check(unsafe symlink(bytes, path), "symlink")
}

package func makeFile(_ path: [UInt8]) throws {
  let bytes = path.map { CChar(truncatingIfNeeded: $0) } + [0]
  let descriptor = unsafe open(bytes, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
  try SystemError.check(descriptor < 0 ? -1 : 0, "open")
  close(descriptor)
}

// glibc declares these functions only with _GNU_SOURCE.
@_silgen_name("unshare") private func unshare(_ flags: Int32) -> Int32
@_silgen_name("setgroups") private func setgroups(
  _ count: Int, _ groups: UnsafePointer<UInt32>?
) -> Int32
@_silgen_name("setresuid") private func setresuid(_ r: UInt32, _ e: UInt32, _ s: UInt32) -> Int32
@_silgen_name("setresgid") private func setresgid(_ r: UInt32, _ e: UInt32, _ s: UInt32) -> Int32
@_silgen_name("mount") private func mount(
  _ source: UnsafePointer<CChar>, _ target: UnsafePointer<CChar>, _ type: UnsafePointer<CChar>?,
  _ flags: UInt, _ data: UnsafePointer<CChar>?
) -> Int32

/// Changes to the calling process, which are only allowed in an exit test.
package enum PrivateMachine {
  package static let readOnly: UInt = 1
  package static let nodev: UInt = 4
  package static let remount: UInt = 32
  package static let bind: UInt = 4096

  /// Moves the calling thread to a new mount namespace, which ends with the thread.
  ///
  /// Mounts still propagate to other namespaces.
  package static func separateNamespace() throws {
    // CLONE_NEWNS.
    try SystemError.check(unshare(0x0002_0000), "unshare")
  }

  /// Moves the calling thread to a new mount namespace whose mounts do not propagate to others.
  package static func separateMounts() throws {
    try separateNamespace()
    // MS_REC | MS_PRIVATE
    try SystemError.check(unsafe mount("none", "/", nil, 0x4000 | 0x40000, nil), "mount /")
  }

  package static func mountTemporary(at path: String, flags: UInt = 0, options: String = "mode=755")
    throws
  {
    try SystemError.check(unsafe mount("none", path, "tmpfs", flags, options), "mount \(path)")
  }

  package static func change(_ path: String, flags: UInt) throws {
    try SystemError.check(
      unsafe mount("none", path, nil, remount | bind | flags, nil), "remount \(path)")
  }

  package static func bind(_ source: String, to target: String) throws {
    try SystemError.check(unsafe mount(source, target, nil, bind, nil), "bind \(target)")
  }

  package static func makeDevice(_ path: String, major: UInt64, minor: UInt64, mode: UInt32) throws
  {
    // The result of makedev(3) for numbers below 256.
    let old = umask(0)
    defer { umask(old) }
    try SystemError.check(unsafe mknod(path, S_IFCHR | mode, UInt(major << 8 | minor)), "mknod")
  }

  /// Changes the credentials of the whole process permanently, which also drops all capabilities.
  package static func become(user: UInt32, group: UInt32, groups: [UInt32] = []) throws {
    try SystemError.check(unsafe setgroups(groups.count, groups), "setgroups")
    try SystemError.check(setresgid(group, group, group), "setresgid")
    try SystemError.check(setresuid(user, user, user), "setresuid")
  }
}
