/// The access that a request requires, as the kernel derives it from the flags
/// (`build_open_flags`).
struct RequestedAccess {
  struct Marks: OptionSet {
    let rawValue: UInt16

    static let open = Marks(rawValue: 1 << 0)
    static let pathOnly = Marks(rawValue: 1 << 1)
    static let truncate = Marks(rawValue: 1 << 2)
    static let append = Marks(rawValue: 1 << 3)
    static let noAccessTime = Marks(rawValue: 1 << 4)
    static let directory = Marks(rawValue: 1 << 5)
    static let noFollow = Marks(rawValue: 1 << 6)
    /// The access mode is not `O_RDONLY`.
    static let notReadOnly = Marks(rawValue: 1 << 7)
    /// The descriptor is writable, which it is not in access mode 3.
    static let writable = Marks(rawValue: 1 << 8)
    static let create = Marks(rawValue: 1 << 10)
    static let exclusive = Marks(rawValue: 1 << 11)
    /// The real IDs are used, as in access(2).
    static let realIDs = Marks(rawValue: 1 << 9)
  }

  var marks: Marks = []
  var wanted: Permissions = []

  init(_ request: Request) {
    switch request {
    case .open(_, let flags):
      marks = .open
      for flag in flags { add(flag) }
      if marks.contains(.pathOnly) {
        // All other flags are ignored.
        marks.formIntersection([.open, .pathOnly, .directory, .noFollow])
        wanted = []
      }
      // `O_CREAT` with `O_EXCL` does not follow a link at the end of the path (`build_open_flags`).
      if marks.isSuperset(of: [.create, .exclusive]) { marks.insert(.noFollow) }
    case .access(_, let mode, let effective, let noFollow):
      wanted = mode.intersection([.read, .write, .execute])
      if noFollow { marks.insert(.noFollow) }
      if !effective { marks.insert(.realIDs) }
    }
  }

  private mutating func add(_ flag: OpenFlag) {
    switch flag {
    case .readOnly: wanted.insert(.read)
    case .writeOnly:
      wanted.insert(.write)
      marks.formUnion([.notReadOnly, .writable])
    case .readWrite:
      wanted.formUnion([.read, .write])
      marks.formUnion([.notReadOnly, .writable])
    case .accessMode3:
      wanted.formUnion([.read, .write])
      marks.insert(.notReadOnly)
    case .path: marks.insert(.pathOnly)
    case .truncate:
      wanted.insert(.write)
      marks.insert(.truncate)
    case .append: marks.insert(.append)
    case .nonBlocking: break
    case .directory: marks.insert(.directory)
    case .noFollow: marks.insert(.noFollow)
    case .noAccessTime: marks.insert(.noAccessTime)
    case .create: marks.insert(.create)
    case .exclusive: marks.insert(.exclusive)
    }
  }
}
