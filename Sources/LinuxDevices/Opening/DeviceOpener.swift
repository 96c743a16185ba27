internal import AccessModel
internal import CCapability
internal import CLinux
internal import Glibc

/// Opens device nodes, with one capability raised for one system call when that is what it takes.
enum DeviceOpener {
  /// Opens a node without following a symbolic link and without waiting for the device.
  ///
  /// The thread that opens starts with the caller's credentials, so it is refused what the caller
  /// is refused; the task resumes when it is done.
  static func open(
    _ path: String, for permissions: Permissions
  ) async throws(DeviceError) -> DeviceDescriptor {
    let result: Int32 = await withCheckedContinuation { continuation in
      do throws(Errno) {
        try DedicatedThread.run {
          continuation.resume(returning: openWaiting(path, for: permissions))
        }
      } catch {
        continuation.resume(returning: 0 &- error.rawValue)
      }
    }
    if result >= 0 { return DeviceDescriptor(adopting: result) }
    if result == Int32.min {
      throw DeviceError(.notADevice, operation: "open", path: path)
    }
    throw DeviceError(.refused, operation: "open", path: path, errno: Errno(negated: result))
  }

  /// Opens on the calling thread, or on a second one that raises a capability.
  ///
  /// - Returns: The descriptor, `-errno`, or `CLINUX_OTHER_OBJECT`.
  static func openWaiting(
    _ path: String, for permissions: Permissions, mayRaise: Bool = true
  ) -> Int32 {
    unsafe open(path, for: permissions, linkResult: -ELOOP) { request in
      let plain = unsafe clinux_open_plain(&request)
      // EPERM is a device policy or an inode flag, which no capability overrides.
      guard mayRaise, plain == -EACCES, let capability = capabilityToRaise(for: permissions) else {
        return plain
      }
      unsafe request.capability = Int32(capability.rawValue)
      return unsafe clinux_open_raised(&request)
    }
  }

  /// Opens as a program does, on the calling thread and with its credentials as they are.
  ///
  /// - Returns: The descriptor, `-errno`, or `CLINUX_OTHER_OBJECT` for what is not a device.
  static func tryToOpen(_ path: String, for permissions: Permissions) -> Int32 {
    guard !permissions.isDisjoint(with: [.read, .write]) else { return CLINUX_OTHER_OBJECT }
    return unsafe open(path, for: permissions, linkResult: CLINUX_OTHER_OBJECT) { request in
      unsafe clinux_open_as_programs_do(&request)
    }
  }

  /// Looks at what is at a path, and opens it if it is a device: to open something else is a side
  /// effect that nobody asked for.
  ///
  /// What is opened has to be the device that was looked at.
  private static func open(
    _ path: String, for permissions: Permissions, linkResult: Int32,
    by call: (inout clinux_open) -> Int32
  ) -> Int32 {
    var status = clinux_status()
    let name = ByteText(path).cString
    let isKnown = unsafe clinux_status(name, &status) == 0
    let type = isKnown ? FileType(mode: status.mode) : nil
    if let type, !type.isDevice {
      return type == .symbolicLink ? linkResult : CLINUX_OTHER_OBJECT
    }
    return unsafe name.withUnsafeBufferPointer { name in
      var request = unsafe clinux_open(
        path: name.baseAddress, access: permissions.accessMode, capability: -1,
        expects_number: isKnown,
        expects_block: type == .blockDevice, expected_major: status.rdev_major,
        expected_minor: status.rdev_minor, result: 0)
      return unsafe call(&request)
    }
  }

  /// The least capability that could help and is permitted; `nil` when there is none, or when it
  /// is effective already and so did not help.
  private static func capabilityToRaise(for permissions: Permissions) -> Capability? {
    guard let state = try? CapabilityState(),
      let permitted = try? state.members(of: CAP_PERMITTED),
      let effective = try? state.members(of: CAP_EFFECTIVE),
      !effective.contains(.overrideFileAccess)
    else { return nil }
    if !permissions.contains(.write), permitted.contains(.readAndSearch),
      !effective.contains(.readAndSearch)
    {
      return .readAndSearch
    }
    return permitted.contains(.overrideFileAccess) ? .overrideFileAccess : nil
  }
}
