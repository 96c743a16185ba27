internal import AccessModel
internal import CCapability
internal import CLinux
internal import Glibc

/// Opens device nodes; if necessary and permitted, it raises one capability for the system call.
enum DeviceOpener {
  /// Opens a node without following a symbolic link and without waiting for the device.
  ///
  /// The call runs on its own thread, which starts with the caller's credentials, so the usual
  /// permission checks apply. The task is suspended until the thread is done.
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

  /// Opens a node on the calling thread, or on a second thread that raises a capability.
  ///
  /// - Returns: The descriptor, `-errno`, or `CLINUX_OTHER_OBJECT` if the path is not a device.
  static func openWaiting(
    _ path: String, for permissions: Permissions, mayRaise: Bool = true
  ) -> Int32 {
    unsafe open(path, for: permissions, linkResult: -ELOOP) { request in
      let plain = unsafe clinux_open_plain(&request)
      // EPERM comes from a device policy or an inode flag, which no capability overrides.
      guard mayRaise, plain == -EACCES, let capability = capabilityToRaise(for: permissions) else {
        return plain
      }
      unsafe request.capability = Int32(capability.rawValue)
      return unsafe clinux_open_raised(&request)
    }
  }

  /// Opens a node on the calling thread, with its credentials and the usual system call.
  ///
  /// - Returns: The descriptor, `-errno`, or `CLINUX_OTHER_OBJECT` if the path is not a device.
  static func tryToOpen(_ path: String, for permissions: Permissions) -> Int32 {
    guard !permissions.isDisjoint(with: [.read, .write]) else { return CLINUX_OTHER_OBJECT }
    return unsafe open(path, for: permissions, linkResult: CLINUX_OTHER_OBJECT) { request in
      unsafe clinux_open_as_programs_do(&request)
    }
  }

  /// Inspects the object at a path, and opens it only if it is a device.
  ///
  /// Opening anything else could have side effects. The opened device must have the inspected
  /// device number; otherwise the result is `CLINUX_OTHER_OBJECT`.
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

  /// Returns the least powerful permitted capability that could override the refusal.
  ///
  /// The result is `nil` if no such capability is permitted, or if it was already effective and
  /// therefore did not help.
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
