internal import AccessModel
internal import LinuxDevices
internal import MessageBus

/// A device that is held by a descriptor while polkit asks.
///
/// Holding does not open it. What is opened at the end is what was held, not what the path leads to.
final class HeldDevice: Sendable {
  let known: KnownDevice
  private let node: PinnedNode

  /// Holds what is at a path.
  ///
  /// - Parameters:
  ///   - path: The path, as the caller gave it; no symbolic link is followed.
  ///   - number: The device that the caller expects.
  ///   - find: What is known of a number.
  /// - Throws: `noDevice`, whatever the reason.
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

  /// Opens it, if it is still what it was; the driver may take any time.
  ///
  /// It is looked at before it is opened, because a driver must not be called for a device that
  /// nobody was asked about. It must be checked again after, because a device can change between any
  /// two calls.
  ///
  /// - Throws: `changed`, and `failed` where the kernel or the driver refuses.
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

  /// Looks whether it is still what it was.
  ///
  /// - Throws: `changed`.
  func check(_ find: KnownDevices.Find) throws(BrokerRefusal) {
    guard node.isStill(at: known.node), find(known.number) == known else { throw .changed }
  }
}
