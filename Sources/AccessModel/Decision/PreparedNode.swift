/// A node as the engine reads it: fixed size, ids seen through the mount, names as byte ranges.
struct PreparedNode: Sendable {
  struct Marks: OptionSet {
    let rawValue: UInt16

    static let immutable = Marks(rawValue: 1 << 0)
    static let append = Marks(rawValue: 1 << 1)
    static let hasACL = Marks(rawValue: 1 << 2)
    static let statusUnobserved = Marks(rawValue: 1 << 3)
    static let aclUnobserved = Marks(rawValue: 1 << 4)
    static let flagsUnobserved = Marks(rawValue: 1 << 5)
    static let contentsUnobserved = Marks(rawValue: 1 << 6)
    static let targetUnobserved = Marks(rawValue: 1 << 7)
    /// The maps of the mount were not observed, so the ids are not known.
    static let idsUnknown = Marks(rawValue: 1 << 8)
    /// No listed node is its parent, or an earlier one has the same path: cannot be reached.
    static let unreachable = Marks(rawValue: 1 << 9)
  }

  /// Stands for an id that a mount does not map: `INVALID_VFSUID`.
  static let invalidID = UInt32.max

  var type: FileType
  var mode: UInt16
  var marks: Marks
  /// The owner as seen through the mount.
  var uid: UInt32
  /// The group as seen through the mount.
  var gid: UInt32
  /// Whether the subject's user namespace maps the owner.
  var isOwnerMapped = Ternary.no
  /// Whether it maps the group.
  var isGroupMapped = Ternary.no
  var mount: Int32 = -1
  /// The nearest listed directory above.
  var parent: Int32 = -1
  var firstChild: Int32 = 0
  var childCount: Int32 = 0
  var pathStart: Int32
  var pathCount: Int32
  /// Where the last component begins.
  var nameStart: Int32
  var targetStart: Int32 = 0
  var targetCount: Int32 = 0
  var firstEntry: Int32 = 0
  var entryCount: Int32 = 0
  var major: UInt32 = 0
  var minor: UInt32 = 0
}

extension PreparedNode.Marks {
  mutating func insert(flags: Set<Node.Flag>) {
    for flag in flags {
      switch flag {
      case .immutable: insert(.immutable)
      case .append: insert(.append)
      }
    }
  }

  mutating func insert(unobserved: Set<Node.Element>) {
    for element in unobserved {
      switch element {
      case .status: insert(.statusUnobserved)
      case .acl: insert(.aclUnobserved)
      case .flags:
        // What was not observed has no value, whatever the node says.
        insert(.flagsUnobserved)
        subtract([.immutable, .append])
      case .contents: insert(.contentsUnobserved)
      case .target: insert(.targetUnobserved)
      }
    }
  }
}
