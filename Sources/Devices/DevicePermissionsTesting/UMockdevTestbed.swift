#if UMockdev
  internal import CUMockdev
  internal import Glibc
  public import Testing

  /// Fake hardware that the real libudev sees in `/sys` and `/dev`.
  ///
  /// During its lifetime, a test bed shows its devices to the whole process, but only if
  /// `umockdev-wrapper` started the process; see ``isAvailable``. Two test beds at once would
  /// interfere with each other, so use one in an exit test, or in a suite that is `.serialized` and
  /// runs by itself. It is not thread-safe.
  ///
  /// Use it for lists and events. It does not provide `/run/udev`, so devices are not initialized,
  /// and their tags are only in the properties `TAGS` and `CURRENT_TAGS`. It does not provide
  /// device nodes for `openat2`, `faccessat2` and static programs, so a permission is `absent`. It
  /// does not provide V4L2 ioctls.
  ///
  /// If a device to change does not exist, umockdev ends the program.
  @safe public struct UMockdevTestbed: ~Copyable {
    private let raw: OpaquePointer

    /// A Boolean value that indicates whether this process runs under `umockdev-wrapper`, which
    /// preloads umockdev's library.
    ///
    /// This does not use `umockdev_in_mock_environment`, which requires an existing test bed.
    public static var isAvailable: Bool {
      guard let library = unsafe dlopen("libumockdev-preload.so.0", RTLD_LAZY | RTLD_NOLOAD) else {
        return false
      }
      unsafe dlclose(library)
      return true
    }

    /// Creates an empty test bed, which hides the real devices.
    ///
    /// - Throws: ``UMockdevError`` if the process does not run under `umockdev-wrapper`.
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

    /// The directory that represents `/` and contains `sys` and `dev`.
    public var rootDirectory: String {
      guard let text = unsafe umockdev_testbed_get_root_dir(raw) else { return "" }
      defer { unsafe g_free(text) }
      return unsafe String(cString: text)
    }

    /// Adds a device, and a node if it has the property `DEVNAME`.
    ///
    /// - Parameters:
    ///   - subsystem: The subsystem, such as `video4linux`.
    ///   - name: The kernel's name, such as `video0`.
    ///   - parent: The sysfs path of the parent, as returned by this method.
    ///   - attributes: The files in the device's directory.
    ///   - properties: The properties that udev would have determined.
    /// - Returns: The sysfs path of the device.
    /// - Throws: ``UMockdevError`` if the name already exists or is not valid.
    @discardableResult
    public borrowing func add(
      subsystem: String, name: String, parent: String? = nil,
      attributes: [String: String] = [:], properties: [String: String] = [:]
    ) throws(UMockdevError) -> String {
      // umockdev aborts the process if a name is invalid.
      guard !name.isEmpty, !name.contains("/"), !subsystem.isEmpty, !subsystem.contains("/") else {
        throw UMockdevError("a device needs a subsystem and a name without slashes")
      }
      // The names in a subsystem are unique.
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

    /// Adds devices from the output of `umockdev-record`.
    ///
    /// - Throws: ``UMockdevError`` with umockdev's message if the text cannot be parsed.
    public borrowing func add(description: String) throws(UMockdevError) {
      var error: UnsafeMutablePointer<GError>?
      guard unsafe umockdev_testbed_add_from_string(raw, description, &error) == 0 else { return }
      guard let error = unsafe error else {
        throw UMockdevError("the description could not be read")
      }
      defer { unsafe g_error_free(error) }
      throw UMockdevError(unsafe error.pointee.message.map { unsafe String(cString: $0) } ?? "")
    }

    /// Creates a symbolic link in a device's directory, such as `driver`.
    public borrowing func setLink(_ name: String, to target: String, of device: String) {
      unsafe umockdev_testbed_set_attribute_link(raw, device, name, target)
    }

    /// Writes a file in a device's directory.
    public borrowing func setAttribute(_ name: String, to value: String, of device: String) {
      unsafe umockdev_testbed_set_attribute(raw, device, name, value)
    }

    /// Changes a udev property of a device, which listeners receive with the next event.
    public borrowing func setProperty(_ name: String, to value: String, of device: String) {
      unsafe umockdev_testbed_set_property(raw, device, name, value)
    }

    /// Sends an event about a device, such as `add` or `change`, to all listeners.
    public borrowing func send(_ action: String, about device: String) {
      unsafe umockdev_testbed_uevent(raw, device, action)
    }

    /// Unplugs a device: notifies all listeners, and removes the device and its node.
    public borrowing func remove(_ device: String) {
      unsafe umockdev_testbed_uevent(raw, device, "remove")
      unsafe umockdev_testbed_remove_device(raw, device)
    }
  }

  /// The reason why fake hardware could not be created or changed.
  public struct UMockdevError: Error, Hashable, Sendable, CustomStringConvertible {
    public var description: String

    init(_ description: String) {
      self.description = description
    }
  }

  extension Trait where Self == ConditionTrait {
    /// Skips a test if fake hardware is not available, and reports the reason.
    public static var requiresUMockdev: Self {
      .enabled(
        if: UMockdevTestbed.isAvailable,
        "the tests have to be run with `umockdev-wrapper swift test`, and the package with its trait UMockdev"
      )
    }
  }

  /// A null-terminated array of C strings, in which names and values alternate.
  @safe struct CStringArray: ~Copyable {
    private let strings: [UnsafeMutablePointer<CChar>?]

    init(_ pairs: [String: String]) {
      let words = pairs.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] }
      unsafe strings = words.map { unsafe strdup($0) } + [nil]
    }

    deinit {
      // Not a for-in loop: swift-format breaks `for unsafe … in`.
      var index = 0
      while index < (unsafe strings.count) {
        unsafe free(strings[index])
        index += 1
      }
    }

    borrowing func withPointer<Result>(
      _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
      var strings = unsafe strings
      return unsafe strings.withUnsafeMutableBufferPointer { unsafe body($0.baseAddress!) }
    }
  }
#endif
