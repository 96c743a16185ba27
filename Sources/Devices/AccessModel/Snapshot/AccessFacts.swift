/// The observations that answer one question: an access case, and the facts that explain it.
///
/// A snapshot is this value as JSON. The same facts give the same answer on every machine.
public struct AccessFacts: Hashable, Sendable {
  /// The requested kind, such as `camera`; `nil` if a path was requested.
  public var kind: String?
  /// The access case, with the request for the chosen object.
  ///
  /// Its nodes cover every candidate of the kind, so a change of the request is enough to decide
  /// about another candidate. For a kind without candidates, the request names a path that does not
  /// exist, such as `/dev/video0`.
  public var access: AccessCase
  /// All devices of the subsystem, including those that are not of the kind.
  public var devices: [DeviceFacts] = []
  /// The interpreters of a script to execute, each one running the previous one (`#!`).
  public var interpreters: [String] = []
  /// The location of the pictures directory; `nil` if the question is not about the album.
  public var album: AlbumFacts?
  /// The database entries of the subject's user, and the names of IDs in the facts.
  @inlinable public var account: AccountFacts {
    get { accountPart.value }
    set { accountPart = Shared(newValue) }
  }
  /// The login session of the subject; `nil` if logind was not asked.
  @inlinable public var session: SessionFacts? {
    get { sessionPart?.value }
    set { sessionPart = newValue.map(Shared.init) }
  }
  /// The container, security modules, filters and unit around the subject.
  @inlinable public var confinement: ConfinementFacts {
    get { confinementPart.value }
    set { confinementPart = Shared(newValue) }
  }
  /// The origin of the subject; `nil` for the observing process itself.
  @inlinable public var origin: SubjectOrigin? {
    get { originPart?.value }
    set { originPart = newValue.map(Shared.init) }
  }
  /// The kernel's own answers for the subject.
  ///
  /// It is empty if the kernel could not be asked, as for a hypothetical subject. If the kernel
  /// grants several permissions together, it may not have been asked about each one.
  public var kernelChecks: [KernelCheck] = []
  /// The results of attempts to use an object; nothing is tried without an explicit request.
  public var attempts: [Attempt] = []
  /// The reasons why hardware may have no node or is held by another driver or program.
  ///
  /// It is `nil` if neither is in question.
  @inlinable public var hardware: HardwareFacts? {
    get { hardwarePart?.value }
    set { hardwarePart = newValue.map(Shared.init) }
  }
  /// The state of the portal; `nil` if it was not inspected.
  public var portal: PortalFacts?
  /// The processes that have the devices open; `nil` if they were not inspected.
  @inlinable public var use: UseFacts? {
    get { usePart?.value }
    set { usePart = newValue.map(Shared.init) }
  }
  /// The effects of udev's rules on the device; `nil` if the rules were not read.
  @inlinable public var rules: RuleFacts? {
    get { rulesPart?.value }
    set { rulesPart = newValue.map(Shared.init) }
  }
  /// The relevant facts that were not observed, each with the reason.
  public var unobserved: [Unobserved] = []

  // Each event copies the facts several times, and these parts are large or rarely present.
  @usableFromInline var accountPart = Shared(AccountFacts())
  @usableFromInline var sessionPart: Shared<SessionFacts>?
  @usableFromInline var confinementPart = Shared(ConfinementFacts())
  @usableFromInline var originPart: Shared<SubjectOrigin>?
  @usableFromInline var hardwarePart: Shared<HardwareFacts>?
  @usableFromInline var usePart: Shared<UseFacts>?
  @usableFromInline var rulesPart: Shared<RuleFacts>?

  /// Creates facts with only a case.
  public init(kind: String? = nil, access: AccessCase) {
    self.kind = kind
    self.access = access
  }
}
