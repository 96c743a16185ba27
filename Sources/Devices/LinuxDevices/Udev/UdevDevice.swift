internal import AccessModel
internal import CLinux
internal import CUdev

/// A libudev device.
///
/// The C type is `struct udev_device`.
@safe struct UdevDevice: ~Copyable {
  private let raw: OpaquePointer
  private let context: UdevContext  // released after `raw`

  /// The maximum length of a property, tag or attribute in bytes; longer text is truncated.
  static let textLimit = 1024
  /// The maximum number of properties, tags or links to read from one device.
  static let countLimit = 256

  init(adopting raw: OpaquePointer, in context: consuming UdevContext) {
    unsafe self.raw = raw
    self.context = context
  }

  deinit { unsafe udev_device_unref(raw) }

  var sysfsPath: String? { unsafe String(path: udev_device_get_syspath(raw)) }
  var node: String? { unsafe String(path: udev_device_get_devnode(raw)) }
  var isInitialized: Bool { unsafe udev_device_get_is_initialized(raw) > 0 }

  var kernelName: String {
    unsafe String(copying: udev_device_get_sysname(raw), limit: 256) ?? ""
  }

  var subsystem: String {
    unsafe String(copying: udev_device_get_subsystem(raw), limit: 256) ?? ""
  }

  /// The action, for a device that a monitor delivered.
  var action: String? {
    unsafe String(copying: udev_device_get_action(raw), limit: 64)
  }

  var number: DeviceNumber? {
    let number = unsafe udev_device_get_devnum(raw)
    guard number != 0 else { return nil }
    return DeviceNumber(major: clinux_major(number), minor: clinux_minor(number))
  }

  var properties: [String: String] {
    var properties: [String: String] = [:]
    unsafe Self.forEach(udev_device_get_properties_list_entry(raw)) { entry in
      guard let key = unsafe String(copying: udev_list_entry_get_name(entry), limit: 256) else {
        return
      }
      properties[key] =
        unsafe String(copying: udev_list_entry_get_value(entry), limit: Self.textLimit) ?? ""
    }
    return properties
  }

  /// All tags that the device has or had.
  var tags: [String] { unsafe Self.names(udev_device_get_tags_list_entry(raw)) }

  /// The current tags (libudev 247); also empty if the database does not record them.
  var currentTags: [String] { unsafe Self.names(udev_device_get_current_tags_list_entry(raw)) }

  /// The links that udev claims for the device, which may actually lead to another device.
  var claimedLinks: [String] {
    var links: [String] = []
    unsafe Self.forEach(udev_device_get_devlinks_list_entry(raw)) { entry in
      if let link = unsafe String(path: udev_list_entry_get_name(entry)) { links.append(link) }
    }
    return links
  }

  private static func names(_ first: OpaquePointer?) -> [String] {
    var names: [String] = []
    unsafe forEach(first) { entry in
      if let name = unsafe String(copying: udev_list_entry_get_name(entry), limit: 256) {
        names.append(name)
      }
    }
    return names
  }

  private static func forEach(_ first: OpaquePointer?, _ body: (OpaquePointer) -> Void) {
    var entry = unsafe first
    var count = 0
    while let current = unsafe entry, count < countLimit {
      unsafe body(current)
      unsafe entry = udev_list_entry_get_next(current)
      count += 1
    }
  }
}
