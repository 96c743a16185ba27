internal import AccessModel

/// The subject of an observation, and its view of the machine.
struct SubjectView: Sendable {
  var subject: Subject
  var translator: IDTranslator
  var seccompMode: Int?
  var mounts: MountTable
  var unobserved: [Unobserved] = []
  /// The origin of the subject; `nil` for the calling thread without variations.
  var origin: SubjectOrigin?
  /// The path of the subject's root directory, without a trailing slash.
  var root = ""
  /// The path of the root directory in ``mounts``; empty if the mounts are listed relative to it.
  var placeAmongMounts = ""
  /// The process whose confinement applies to the subject; `nil` if the subject is not running.
  var process: String?
  /// Looks up a variable of the subject's environment.
  var environment: @Sendable (String) -> String?
  var session = SessionOwner.caller
  var checker: KernelChecker
  /// The unit that the question is about.
  var unit: UnitView?
  /// The open folder of the process in `/proc`, and the credentials that were read first.
  var directory: (folder: ProcessDirectory, status: ThreadStatus)?
}

extension SubjectView {
  /// Returns the calling thread as the subject.
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

  /// Creates the view of a question's subject.
  ///
  /// - Throws: `noSubject` if the subject does not exist, `maskedUnit` if the unit is masked, or
  ///   another code if the subject cannot be inspected.
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

  /// Returns the path in question, or `/dev` for a kind of device.
  private static func target(of question: Question) -> String? {
    switch question.target {
    case .path(let path): try? AbsolutePath.resolve(path)
    case .kind(.album): nil
    case .kind: "/dev"
    }
  }

  /// Applies a variation, which makes the subject hypothetical.
  ///
  /// - Throws: `noSubject` if a group in the variation does not exist, or another code if it could
  ///   not be looked up.
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
