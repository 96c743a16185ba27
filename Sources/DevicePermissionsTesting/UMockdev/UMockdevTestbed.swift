#if UMockdev
  internal import CUMockdev
  internal import Glibc

  /// Fake hardware that the real libudev sees in `/sys` and `/dev`.
  ///
  /// It shows its devices to the whole process for as long as it lives, and only in a process
  /// that `umockdev-wrapper` started: see ``isAvailable``. Two test beds at once would get in
  /// each other's way, so use one in an exit test, or in a suite that is `.serialized` and runs
  /// alone. It is not thread-safe.
  ///
  /// What it cannot show: `/run/udev`, so that devices are not initialised and have their tags in
  /// the properties `TAGS` and `CURRENT_TAGS` alone; device nodes to `openat2`, `faccessat2` and
  /// static programs, so that a permission is `absent`; V4L2 ioctls. Lists and events are what it is for.
  ///
  /// umockdev ends the program where a device that it is told to change is not there.
  @safe public struct UMockdevTestbed: ~Copyable {
    private let raw: OpaquePointer

    /// Whether this process runs under `umockdev-wrapper`, which preloads umockdev's library.
    ///
    /// Not `umockdev_in_mock_environment`, which only answers when there is a test bed.
    public static var isAvailable: Bool {
      guard let library = unsafe dlopen("libumockdev-preload.so.0", RTLD_LAZY | RTLD_NOLOAD) else {
        return false
      }
      unsafe dlclose(library)
      return true
    }

    /// Hides the real devices behind an empty machine.
    ///
    /// - Throws: ``UMockdevError`` outside of `umockdev-wrapper`.
    public init() throws(UMockdevError) {
      guard Self.isAvailable else {
        throw UMockdevError("run the tests with umockdev-wrapper")
      }
      guard let raw = unsafe umockdev_testbed_new() else {
        throw UMockdevError("the test bed could not be made")
      }
      unsafe self.raw = raw
    }

    deinit { unsafe g_object_unref(UnsafeMutableRawPointer(raw)) }

    /// The directory that stands for `/`: `sys` and `dev` are in it.
    public var rootDirectory: String {
      guard let text = unsafe umockdev_testbed_get_root_dir(raw) else { return "" }
      defer { unsafe g_free(text) }
      return unsafe String(cString: text)
    }

    /// Adds a device; the one with a `DEVNAME` property also gets a node.
    ///
    /// - Parameters:
    ///   - subsystem: The subsystem, such as `video4linux`.
    ///   - name: The kernel's name, such as `video0`.
    ///   - parent: The path in sysfs of the parent, as this function returned it.
    ///   - attributes: Files in the device's directory.
    ///   - properties: What udev would have found out.
    /// - Returns: The path in sysfs.
    /// - Throws: ``UMockdevError`` for a name that is taken or no name.
    @discardableResult
    public borrowing func add(
      subsystem: String, name: String, parent: String? = nil,
      attributes: [String: String] = [:], properties: [String: String] = [:]
    ) throws(UMockdevError) -> String {
      // umockdev aborts the process on these.
      guard !name.isEmpty, !name.contains("/"), !subsystem.isEmpty, !subsystem.contains("/") else {
        throw UMockdevError("a device needs a subsystem and a name without slashes")
      }
      // A subsystem has each name once.
      let places = [
        parent ?? "/sys/devices", "/sys/class/\(subsystem)", "/sys/bus/\(subsystem)/devices",
      ]
      guard places.allSatisfy({ unsafe access("\(rootDirectory)\($0)/\(name)", F_OK) != 0 }) else {
        throw UMockdevError("there is a device \(name) already")
      }
      let path = unsafe CStringArray(attributes).withPointer { attributes in
        unsafe CStringArray(properties).withPointer { properties in
          unsafe umockdev_testbed_add_devicev(
            raw, subsystem, name, parent, attributes, properties)
        }
      }
      guard let path = unsafe path else {
        throw UMockdevError("\(subsystem) device \(name) could not be added")
      }
      defer { unsafe g_free(path) }
      return unsafe String(cString: path)
    }

    /// Adds devices from the text that `umockdev-record` writes.
    ///
    /// - Throws: ``UMockdevError`` with umockdev's own message for text that it cannot read.
    public borrowing func add(description: String) throws(UMockdevError) {
      var error: UnsafeMutablePointer<GError>?
      guard unsafe umockdev_testbed_add_from_string(raw, description, &error) == 0 else { return }
      guard let error = unsafe error else {
        throw UMockdevError("the description could not be read")
      }
      defer { unsafe g_error_free(error) }
      throw UMockdevError(unsafe error.pointee.message.map { unsafe String(cString: $0) } ?? "")
    }

    /// Makes a symbolic link in a device's directory, such as `driver`.
    public borrowing func setLink(_ name: String, to target: String, of device: String) {
      unsafe umockdev_testbed_set_attribute_link(raw, device, name, target)
    }

    /// Writes a file in a device's directory.
    public borrowing func setAttribute(_ name: String, to value: String, of device: String) {
      unsafe umockdev_testbed_set_attribute(raw, device, name, value)
    }

    /// Changes what udev found out about a device; listeners hear of it with the next event.
    public borrowing func setProperty(_ name: String, to value: String, of device: String) {
      unsafe umockdev_testbed_set_property(raw, device, name, value)
    }

    /// Sends an event about a device, such as `add` or `change`, to everybody who listens.
    public borrowing func send(_ action: String, about device: String) {
      unsafe umockdev_testbed_uevent(raw, device, action)
    }

    /// Unplugs a device: tells everybody who listens, and takes it and its node away.
    public borrowing func remove(_ device: String) {
      unsafe umockdev_testbed_uevent(raw, device, "remove")
      unsafe umockdev_testbed_remove_device(raw, device)
    }
  }
#endif
