/// What was not observed, where it could have changed the answer.
public enum Doubt: UInt8, Hashable, Sendable, CaseIterable {
  case root
  case status
  case accessControlList
  case inodeFlags
  case contents
  case linkTarget
  case filesystem
  case superblockNodev
  case mountIDMap
  case mountFlags
  case subjectIDs
  case groups
  case capabilities
  case userNamespace
  case deviceCgroup
  case overflowIDs
  case settings

  /// The reason as one clause, without the object that it concerns.
  public var reason: String {
    switch self {
    case .root: "the root directory was not observed"
    case .status: "the type, mode and owner were not observed"
    case .accessControlList: "the access control list was not observed"
    case .inodeFlags: "the immutable and append-only flags were not observed"
    case .contents: "the contents of the directory were not observed"
    case .linkTarget: "the target of the symbolic link was not observed"
    case .filesystem: "the filesystem has permission rules of its own"
    case .superblockNodev: "whether the superblock forbids devices was not observed"
    case .mountIDMap: "the maps of the id-mapped mount were not observed"
    case .mountFlags: "the mount flags were not observed"
    case .subjectIDs: "the user and group ids of the subject were not observed"
    case .groups: "the supplementary groups of the subject were not observed"
    case .capabilities: "the capabilities of the subject were not observed"
    case .userNamespace: "the user namespace of the subject was not observed"
    case .deviceCgroup: "the device control group of the subject was not observed"
    case .overflowIDs: "an id reads as the overflow id and may be any"
    case .settings: "what fs.protected_* restricts in shared directories was not observed"
    }
  }
}
