public import AccessModel
internal import CVideo4Linux
internal import Glibc

extension LinuxMachine {
  /// Asks a video node's driver what the node can do, and fills in `driverCapabilities`, the name
  /// and with them the role.
  ///
  /// It opens the device, which can wake a camera: only on an explicit request. No capability is
  /// raised. The ioctl is `VIDIOC_QUERYCAP`.
  ///
  /// - Throws: `notADevice` when there is no video node, `refused` with the error number of
  ///   open(2) or ioctl(2).
  public func probe(_ device: DeviceFacts) throws(DeviceError) -> DeviceFacts {
    guard let node = device.node, device.subsystem == "video4linux" else {
      throw DeviceError(.notADevice, operation: "probe", path: device.node ?? device.sysfsPath)
    }
    let path = try AbsolutePath.resolve(node)
    let raw = unsafe Glibc.open(
      ByteText(path).cString, O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard raw >= 0 else {
      throw DeviceError(.refused, operation: "probe", path: path, errno: Errno.current.rawValue)
    }
    let descriptor = DeviceDescriptor(adopting: raw)
    var answer = v4l2_capability()
    let result = unsafe cvideo4linux_query(descriptor.rawValue, &answer)
    guard result >= 0 else {
      throw DeviceError(.refused, operation: "probe", path: path, errno: 0 &- result)
    }

    var probed = device
    probed.driverCapabilities = unsafe cvideo4linux_device_capabilities(&answer)
    var card = [CChar](repeating: 0, count: 33)
    unsafe cvideo4linux_card(&answer, &card)
    let name = unsafe String(copying: card, limit: 32)
    if let name, !name.isEmpty { probed.name = name }
    probed.classify()
    return probed
  }
}
