internal import AccessModel

/// What the facts about one file tell of every other that is like it: in the same directory, on the
/// same filesystem, of the same type and owner, with the same list.
///
/// A watch of many files looks at what one event is about, and takes the rest from here. It is an
/// object, because it is large and is handed on for each event.
final class KindredFacts: Sendable {
  private let question: Question
  fileprivate let facts: AccessFacts
  private let view: SubjectView
  private let directories: KnownDirectories
  /// What the kernel is asked, and whether it is about the file itself.
  fileprivate let questions: [(question: KernelQuestion, isOfFile: Bool)]

  /// Takes facts; `nil` where more in them than the file itself depends on which one it is.
  ///
  /// - Parameters:
  ///   - question: The question that they answer, about an absolute path.
  ///   - facts: The facts.
  ///   - view: The subject that they are about.
  ///   - directories: What is known of the directories above the file.
  init?(
    _ question: Question, _ facts: AccessFacts, of view: SubjectView,
    in directories: KnownDirectories
  ) {
    let path = facts.access.request.path
    guard question.target == .path(path), question.rules == .none, !facts.access.request.creates,
      view.unit == nil, view.directory == nil, let node = facts.access.nodes.last,
      facts.access.nodes.count == directories.sightings.count + 1, node.path == path,
      node.type != .directory, node.type != .symbolicLink, node.unobserved.isEmpty,
      !Self.mayBelongToKind(path, facts.devices),
      facts.hardware == nil, facts.album == nil, facts.rules == nil,
      facts.confinement.profileRule == nil, facts.confinement.label?.hasSuffix("(enforce)") != true,
      !facts.access.subject.unobserved.contains(.overflowIDs),
      !facts.unobserved.contains(where: { $0.at == path }),
      !facts.kernelChecks.contains(where: { $0.errno == .notPermitted })
    else { return nil }
    self.question = question
    self.facts = facts
    self.view = view
    self.directories = directories
    questions = Self.questions(behind: facts.kernelChecks, about: path)
  }

  /// The questions that some answers are to.
  private static func questions(
    behind checks: [KernelCheck], about path: String
  ) -> [(question: KernelQuestion, isOfFile: Bool)] {
    var questions: [(question: KernelQuestion, isOfFile: Bool)] = []
    for check in checks {
      let (mode, key) = (check.permissions, PathKey(check.path))
      if let last = questions.last, PathKey(last.question.path) == key {
        questions[questions.count - 1].question.modes.append(mode)
      } else {
        questions.append((KernelQuestion(check.path, [mode]), key == PathKey(path)))
      }
    }
    return questions
  }

  /// A file that was looked at, and what is known of another that is like it.
  struct Sighted: Sendable {
    fileprivate let question: Question
    fileprivate let node: Node
    fileprivate let kin: KindredFacts
  }

  /// Looks at the file that a question is about.
  ///
  /// - Parameters:
  ///   - question: A question about an absolute path.
  ///   - known: What is known of files.
  /// - Returns: What was seen; `nil` where the file is like none of those known.
  static func look(for question: Question, knowing known: [KindredFacts]) -> Sighted? {
    guard case .path(let path) = question.target,
      let first = known.first(where: { $0.isAbout(question, path) }),
      !mayBelongToKind(path, first.facts.devices)
    else { return nil }
    // All that are about the question have the same subject.
    var observer = PathObserver(translator: first.view.translator, root: first.view.root)
    guard case .found(let node) = observer.look(at: path), let sighting = observer.sightings.last,
      observer.unobserved.isEmpty, !observer.translator.metOverflow
    else { return nil }
    let kin = known.first { known in
      known.isLike(node) && known.directories.isOnLastMount(sighting)
        && (known === first || known.isAbout(question, path))
    }
    return kin.map { Sighted(question: question, node: node, kin: $0) }
  }

  /// The facts about files that were just looked at.
  ///
  /// - Parameters:
  ///   - files: The files.
  ///   - kernel: Asks the kernel in the name of the calling thread.
  ///   - children: Those who ask it for others: once for several files.
  /// - Returns: The facts about each; `nil` where the kernel's answer calls for another look.
  static func facts(
    of files: [Sighted], asking kernel: KernelChecker.Kernel, through children: AskingChildren
  ) -> [AccessFacts?] {
    var all: [AccessFacts?] = []
    var rest = files[...]
    while let first = rest.first {
      // A child takes so many paths; each file is one of its own, and may have another in common.
      let same = rest.prefix(AskingChildren.mostPaths / 2).prefix { $0.kin === first.kin }
      rest = rest.dropFirst(same.count)
      let questions = same.map(\.questions)
      let (checks, failure) = first.kin.view.checker.answers(
        to: Array(questions.joined()), asking: kernel, through: children)
      guard failure == nil else {
        all += same.map { _ in nil }
        continue
      }
      var answers = checks[...]
      for (file, questions) in zip(same, questions) {
        let count = questions.reduce(0) { $0 + $1.modes.count }
        all.append(file.facts(Array(answers.prefix(count))))
        answers = answers.dropFirst(count)
      }
    }
    return all
  }

  private func isAbout(_ question: Question, _ path: String) -> Bool {
    isBeside(path) && isLike(question)
  }

  /// Whether a path names something in the same directory.
  private func isBeside(_ path: String) -> Bool {
    guard let above = directories.sightings.last?.node.path else { return false }
    let prefix = above.utf8.count == 1 ? 1 : above.utf8.count + 1
    let name = path.utf8.dropFirst(prefix)
    return path.utf8.starts(with: above.utf8) && path.utf8.dropFirst(prefix - 1).first == Self.slash
      && !name.isEmpty && !name.contains(Self.slash) && !name.elementsEqual(".".utf8)
      && !name.elementsEqual("..".utf8)
  }

  /// Whether another question asks the same of its file.
  private func isLike(_ other: Question) -> Bool {
    other.wanted == question.wanted && other.purpose == question.purpose
      && other.names == question.names && other.rules == .none && other.subject == question.subject
      && other.variation == question.variation
  }

  /// Whether nothing but the mode, the flags and the name of an object differs.
  private func isLike(_ node: Node) -> Bool {
    guard let first = facts.access.nodes.last else { return false }
    return node.type == first.type && node.rdev == first.rdev && node.uid == first.uid
      && node.gid == first.gid && node.acl == first.acl && node.unobserved.isEmpty
  }

  /// Whether other devices are looked at as well, for what the path is called or leads to.
  private static func mayBelongToKind(_ path: String, _ devices: [DeviceFacts]) -> Bool {
    guard devices.count <= 1, !path.utf8.starts(with: "/dev/".utf8) else { return true }
    return devices.contains { device in
      DeviceKind.all.contains { $0.subsystem == device.subsystem }
    }
  }

  private static let slash = UInt8(ascii: "/")
}

extension KindredFacts.Sighted {
  /// What the kernel is asked about the file.
  fileprivate var questions: [KernelQuestion] {
    kin.questions.map { question, isOfFile in
      isOfFile ? KernelQuestion(node.path, question.modes) : question
    }
  }

  /// The facts about the file with the kernel's answers.
  fileprivate func facts(_ checks: [KernelCheck]) -> AccessFacts? {
    guard !checks.contains(where: { $0.errno == .notPermitted }) else { return nil }
    var facts = kin.facts
    facts.access.nodes[facts.access.nodes.count - 1] = node
    facts.access.request = question.request(for: node.path, type: node.type)
    facts.kernelChecks = checks
    return facts
  }
}
