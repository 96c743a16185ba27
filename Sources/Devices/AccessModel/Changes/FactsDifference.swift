/// A difference between two observations of a machine.
public struct FactsDifference: Hashable, Sendable {
  /// The kind of difference.
  public enum Code: String, Hashable, Sendable, CaseIterable, Codable {
    /// A device was added.
    case deviceAdded = "device_added"
    /// A device was removed.
    case deviceRemoved = "device_removed"
    /// The facts about a device changed, for example because udev finished processing it.
    case deviceChanged = "device_changed"
    /// A file or directory on the path was added.
    case nodeAdded = "node_added"
    /// A file or directory on the path was removed.
    case nodeRemoved = "node_removed"
    /// The object at a path was replaced by another one, or a link has another target.
    case nodeReplaced = "node_replaced"
    /// An object or the mount table can no longer be inspected, or can be inspected again.
    ///
    /// The reasons include a failing disk and a lack of memory.
    case visibility
    /// The permission bits changed.
    case mode
    /// The owner or the group changed.
    case owner
    /// The access control list changed.
    case accessList = "acl"
    /// The immutable or append-only flag changed.
    case flags
    /// The location of the album changed.
    case album
    /// A mount was added or removed, or its properties changed.
    case mount
    /// The active session of a seat changed.
    case seat
    /// The session of the subject changed.
    case session
    /// The credentials of the subject changed, such as its groups, capabilities or control group.
    case subject
    /// The groups that the account database lists for the subject's user changed.
    case account
    /// The confinement of the subject changed.
    case confinement
    /// The kernel's own answer changed for a reason outside the model.
    case kernel
  }

  /// The kind of difference.
  public var code: Code
  /// The path, device, mount point, seat or session that the difference concerns; untrusted text.
  public var object: String?
  /// The difference as a sentence without a period; untrusted text.
  public var text: String

  init(_ code: Code, _ object: String?, _ text: String) {
    self.code = code
    self.object = object
    self.text = text
  }
}
