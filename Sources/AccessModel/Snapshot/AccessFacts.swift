/// All that was observed to answer one question: a case, and what explaining it needs.
///
/// A snapshot is this value as JSON. The same facts give the same answer on every machine.
public struct AccessFacts: Hashable, Sendable {
  /// The kind that was asked for, such as `camera`; `nil` when a path was.
  public var kind: String?
  /// The case, with the request for the object that was chosen.
  ///
  /// Its nodes cover every candidate
  /// of the kind, so other candidates are decided by changing only the request. For a kind
  /// without any candidate the request names a path that does not exist, such as `/dev/video0`.
  public var access: AccessCase
  /// Every device of the subsystem, also those that are not of the kind.
  public var devices: [DeviceFacts] = []
  /// The interpreters of a script that is to be executed, each for the one before it (`#!`).
  public var interpreters: [String] = []
  /// Where the pictures directory is; `nil` when the question is not about the album.
  public var album: AlbumFacts?
  /// What the databases say of the subject's user, and the names of ids in the facts.
  @inlinable public var account: AccountFacts {
    get { accountPart.value }
    set { accountPart = Shared(newValue) }
  }
  /// `nil` when logind was not asked.
  @inlinable public var session: SessionFacts? {
    get { sessionPart?.value }
    set { sessionPart = newValue.map(Shared.init) }
  }
  /// The container, security modules, filters and unit around the subject.
  @inlinable public var confinement: ConfinementFacts {
    get { confinementPart.value }
    set { confinementPart = Shared(newValue) }
  }
  /// Where the subject comes from; `nil` for the observing process as it is.
  @inlinable public var origin: SubjectOrigin? {
    get { originPart?.value }
    set { originPart = newValue.map(Shared.init) }
  }
  /// The kernel's own answers for the subject: none for one that the kernel could not be asked
  /// about, such as a hypothetical one.
  ///
  /// Where it grants several permissions together, it need not have been asked about each.
  public var kernelChecks: [KernelCheck] = []
  /// The results of really using an object; nothing is tried without an explicit request.
  public var attempts: [Attempt] = []
  /// Why hardware may have no node, and what else has a device; `nil` where neither is in question.
  @inlinable public var hardware: HardwareFacts? {
    get { hardwarePart?.value }
    set { hardwarePart = newValue.map(Shared.init) }
  }
  /// What the portal holds; `nil` when it was not looked at.
  public var portal: PortalFacts?
  /// Who has the devices in question open; `nil` where that was not looked at.
  @inlinable public var use: UseFacts? {
    get { usePart?.value }
    set { usePart = newValue.map(Shared.init) }
  }
  /// What udev's rules make of the device in question; `nil` where they were not read.
  @inlinable public var rules: RuleFacts? {
    get { rulesPart?.value }
    set { rulesPart = newValue.map(Shared.init) }
  }
  /// What could have mattered and was not observed, each with its reason.
  public var unobserved: [Unobserved] = []

  // Facts are handed on several times for each event, and these parts are large or seldom there.
  @usableFromInline var accountPart = Shared(AccountFacts())
  @usableFromInline var sessionPart: Shared<SessionFacts>?
  @usableFromInline var confinementPart = Shared(ConfinementFacts())
  @usableFromInline var originPart: Shared<SubjectOrigin>?
  @usableFromInline var hardwarePart: Shared<HardwareFacts>?
  @usableFromInline var usePart: Shared<UseFacts>?
  @usableFromInline var rulesPart: Shared<RuleFacts>?

  /// Creates facts with a case and nothing that explains it.
  public init(kind: String? = nil, access: AccessCase) {
    self.kind = kind
    self.access = access
  }
}
