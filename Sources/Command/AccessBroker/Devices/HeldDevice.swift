internal import AccessModel
internal import LinuxDevices
internal import MessageBus

/// A device that is held by a descriptor while polkit asks the user.
///
/// Holding a device does not open it. The broker later opens the object that was held, even if the
/// path leads to another one.
final class HeldDevice: Sendable {
  let known: KnownDevice
  private let node: PinnedNode

  /// Holds the device at a path.
  ///
  /// - Parameters:
  ///   - path: The path that the caller requested; no symbolic link is followed.
  ///   - number: The device number that the caller expects.
  ///   - find: Returns the device with the given number.
  /// - Throws: `noDevice`, regardless of the reason.
  init(
    at path: String, _ number: DeviceNumber, find: KnownDevices.Find
  ) throws(BrokerRefusal) {
    guard let node = try? PinnedNode(path: path), node.type == .characterDevice,
      node.inode.device == number, let known = find(number), known.number == number,
      known.node == path
    else { throw .noDevice }
    self.node = node
    self.known = known
  }

  /// Opens the device if it is unchanged; the driver may take any amount of time.
  ///
  /// The device is checked before it is opened, because a driver must not be called for a device
  /// that no user was asked about. The caller must check it again afterwards, because a device can
  /// change between any two calls.
  ///
  /// - Throws: `changed`, or `failed` if the kernel or the driver refuses.
  func open(
    for wanted: Permissions, find: KnownDevices.Find, by open: OpeningThreads.Open
  ) throws(BrokerRefusal) -> BusDescriptor {
    try check(find)
    do throws(GrantError) {
      return BusDescriptor(adopting: try open(node, wanted, known.node).release())
    } catch {
      throw BrokerRefusal(.failed, error.reason)
    }
  }

  /// Checks that the device is unchanged.
  ///
  /// - Throws: `changed` if it is not.
  func check(_ find: KnownDevices.Find) throws(BrokerRefusal) {
    guard node.isStill(at: known.node), find(known.number) == known else { throw .changed }
  }
}
