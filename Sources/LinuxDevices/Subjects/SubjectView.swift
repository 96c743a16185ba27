internal import AccessModel

/// The subject of one look at the machine, and the window through which it sees the machine.
struct SubjectView: Sendable {
  var subject: Subject
  var translator: IDTranslator
  var seccompMode: Int?
  var mounts: MountTable
  var unobserved: [Unobserved] = []
  /// `nil` for the calling thread as it is.
  var origin: SubjectOrigin?
  /// What the subject sees as `/`, without a slash at its end.
  var root = ""
  /// Where that lies among ``mounts``: empty where they are listed as the subject sees them.
  var placeAmongMounts = ""
  /// The process whose confinement holds for the subject; `nil` for one that does not run.
  var process: String?
  /// Looks a variable of the subject's environment up.
  var environment: @Sendable (String) -> String?
  var session = SessionOwner.caller
  var checker: KernelChecker
  /// The unit that the question names.
  var unit: UnitView?
  /// What keeps the process's folder below `/proc` the same one, and its credentials at first.
  var directory: (folder: ProcessDirectory, status: ThreadStatus)?
}

extension SubjectView {
  /// The calling thread as it is.
  static func ownProcess(
    roots: MachineRoots, environment: @escaping @Sendable (String) -> String?
  ) -> SubjectView {
    let credentials = CredentialObserver(roots: roots).observe()
    var unobserved = credentials.unobserved
    let process = "\(roots.proc)/thread-self"
    let mounts = MountTable.read("\(process)/mountinfo", &unobserved)
    return SubjectView(
      subject: credentials.subject, translator: credentials.translator,
      seccompMode: credentials.seccompMode, mounts: mounts, unobserved: unobserved,
      process: process, environment: environment, checker: .caller)
  }

  /// The subject of a question.
  ///
  /// - Throws: `noSubject` for one that does not exist, `maskedUnit` for a unit that cannot be
  ///   started.
  init(
    of question: Question, roots: MachineRoots,
    environment: @escaping @Sendable (String) -> String?
  ) throws(DeviceError) {
    let own = SubjectView.ownProcess(roots: roots, environment: environment)
    switch question.subject {
    case .ownProcess: self = own
    case .user(let name): self = try LoginSubject(roots: roots, own: own).view(of: name)
    case .process(let number):
      self = try ProcessSubject(roots: roots, own: own).view(of: number)
    case .unit(let name):
      self = try UnitSubject(roots: roots, own: own)
        .view(of: name, target: Self.target(of: question))
    }
    try vary(question.variation, roots: roots)
  }

  /// The path in question; that of the devices for a kind of them.
  private static func target(of question: Question) -> String? {
    switch question.target {
    case .path(let path): try? AbsolutePath.resolve(path)
    case .kind(.album): nil
    case .kind: "/dev"
    }
  }

  /// Makes the subject a hypothetical one.
  private mutating func vary(
    _ variation: SubjectVariation, roots: MachineRoots
  ) throws(DeviceError) {
    guard !variation.isEmpty else { return }
    var ignored: [Unobserved] = []
    var source = AccountSources.source(roots, &ignored)
    var numbers: [String: UInt32] = [:]
    for name in variation.groupNames {
      let number: UInt32?
      do throws(Errno) {
        number = try source.group(word: name)
      } catch {
        throw DeviceError(unableTo: "look up group", name, error)
      }
      guard let number else {
        throw DeviceError(.noSubject, operation: "find group", path: name)
      }
      numbers[name] = translator.group(number)
    }
    subject = variation.applied(to: subject, numbers: numbers)
    var origin = self.origin ?? SubjectOrigin(.ownProcess)
    origin.variations = variation.clauses
    self.origin = origin
    checker = .none("the kernel cannot check a hypothetical subject")
  }
}
