/// One thing that became different between two looks at a machine.
public struct FactsDifference: Hashable, Sendable {
  /// What became different.
  public enum Code: String, Hashable, Sendable, CaseIterable, Codable {
    /// A device is there that was not.
    case deviceAdded = "device_added"
    /// A device is gone.
    case deviceRemoved = "device_removed"
    /// udev has finished with a device, or begun anew.
    case deviceChanged = "device_changed"
    /// A file or directory on the way is there that was not.
    case nodeAdded = "node_added"
    /// A file or directory on the way is gone.
    case nodeRemoved = "node_removed"
    /// Another object is at the same path.
    case nodeReplaced = "node_replaced"
    /// Whether what is on the way can be looked at: a disk may fail, or memory be short.
    case visibility
    /// The permission bits.
    case mode
    /// The owner or the group.
    case owner
    /// The access control list.
    case accessList = "acl"
    /// The immutable and append-only flags.
    case flags
    /// Where the album is.
    case album
    /// A mount came, went or has other options.
    case mount
    /// The active session of a seat.
    case seat
    /// The session of the subject.
    case session
    /// The credentials of the subject: its groups, capabilities or control group.
    case subject
    /// The groups that the account database lists for the subject's user.
    case account
    /// What confines the subject.
    case confinement
    /// The kernel's own answer, for a reason outside the model.
    case kernel
  }

  /// What became different.
  public var code: Code
  /// The path, device, mount point or seat that it is about; untrusted text.
  public var object: String?
  /// It as a sentence, without the period; untrusted text.
  public var text: String

  init(_ code: Code, _ object: String?, _ text: String) {
    self.code = code
    self.object = object
    self.text = text
  }
}
