import Foundation
import LegoKit
import RaceRounds
import Synchronization
import Testing

private struct Voice: Service {
  static let contractor = Voice(name: "default")
  var name: String
}

private struct Accent: Service {
  static let contractor = Accent(name: "default")
  var name: String
}

extension Contractors {
  fileprivate var voice: Voice {
    get { Self[Voice.self] }
    set { Self[Voice.self] = newValue }
  }

  fileprivate var accent: Accent {
    get { Self[Accent.self] }
    set { Self[Accent.self] = newValue }
  }
}

/// A blueprint whose changes name the override that they were built under.
private struct Choir: Blueprint {
  enum Kind: CaseIterable, Sendable {
    case ready, just, future, task, list, named
  }

  enum Change: Equatable, Sendable {
    case ask(String, Kind)
    case answer(String)
    case echo(String)
  }

  func change(_ design: inout Int, on change: Change) { design += 1 }
}

/// Answers each change in one of several ways, and counts the changes that it is asked about under
/// another override than their own.
private final class Singer: Adaptor<Choir> {
  let wrong: Collected<String>

  init(_ wrong: Collected<String>) { self.wrong = wrong }

  override func effect(_ design: Int, on change: Choir.Change) -> Effect<Choir.Change> {
    let heard = Contractors().voice.name
    switch change {
    case .ask(let voice, let kind):
      if heard != voice { wrong.append("asked by \(voice), heard \(heard)") }
      return Self.answer(.answer(voice), kind)
    case .answer(let voice):
      if heard != voice { wrong.append("answer to \(voice), heard \(heard)") }
      return .send(.echo(voice))
    case .echo(let voice):
      if heard != voice { wrong.append("echo of \(voice), heard \(heard)") }
      return .none
    }
  }

  private static func answer(_ change: Choir.Change, _ kind: Choir.Kind) -> Effect<Choir.Change> {
    switch kind {
    case .ready: .send(change)
    case .just: .publisher(Just(change))
    case .future: .publisher(Future { $0(.success(change)) })
    case .task: .run { send in send(.answer(Contractors().voice.name)) }
    case .list: .concatenate(.run { _ in }, .merge(.send(change), .run { $0(change) }))
    case .named: Effect.run { _ in }.id(1, policy: .runOldest(.suspend))
    }
  }
}

@Suite struct `The overrides of a change` {
  private func store(_ wrong: Collected<String>) -> Lego<Choir> {
    Lego(0, blueprint: Choir(), adaptors: [Singer(wrong)])
  }

  @Test(arguments: [Choir.Kind.ready, .just, .future])
  fileprivate func `are its builder's, whichever thread tells it`(kind: Choir.Kind) async {
    let wrong = Collected<String>()
    let lego = store(wrong)
    let rounds = raceRounds(5_000)
    await withTaskGroup { group in
      for name in ["alto", "bass", "default"] {
        group.addTask {
          for _ in 0..<rounds {
            if name == "default" {
              lego.build(.ask(name, kind))
            } else {
              withContractors {
                $0.voice = Voice(name: name)
              } operation: {
                _ = lego.build(.ask(name, kind))
              }
            }
          }
        }
      }
    }
    while lego.design < 9 * rounds { await Task.yield() }
    #expect(wrong.values.count == 0, "\(wrong.values.prefix(3))")
  }

  @Test(arguments: [Choir.Kind.task, .list, .named])
  fileprivate func `are kept by its effects and what these cause`(kind: Choir.Kind) async {
    let wrong = Collected<String>()
    let lego = store(wrong)
    await withTaskGroup { group in
      for name in ["alto", "bass"] {
        group.addTask {
          await withContractors {
            $0.voice = Voice(name: name)
          } operation: {
            for _ in 0..<raceRounds(500) { await lego.build(.ask(name, kind)).finished() }
          }
        }
      }
    }
    #expect(wrong.values.count == 0, "\(wrong.values.prefix(3))")
  }

  @Test func `are seen by a change that waits for another thread's observer`() {
    let wrong = Collected<String>()
    let lego = store(wrong)
    let (isTold, isBuilt) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let isFirst = Atomic(true)
    let token = lego.onDesignChange { _ in
      guard isFirst.exchange(false, ordering: .relaxed) else { return }
      isTold.signal()
      isBuilt.wait()
    }
    let ended = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      withContractors {
        $0.voice = Voice(name: "alto")
      } operation: {
        _ = lego.build(.ask("alto", .ready))
      }
      ended.signal()
    }
    isTold.wait()
    // The other thread tells these.
    lego.build(.ask("default", .ready))
    withContractors {
      $0.voice = Voice(name: "bass")
    } operation: {
      _ = lego.build(.ask("bass", .ready))
    }
    isBuilt.signal()
    ended.wait()
    // Nobody tells more of others' changes than a share: the rest may follow a moment later.
    for _ in 0..<60_000 where lego.design < 9 { Thread.sleep(forTimeInterval: 0.001) }
    #expect(lego.design == 9)
    #expect(wrong.values == [])
    withExtendedLifetime(token) {}
  }

  @Test func `are kept by what a publisher sends later, on whatever thread`() {
    let heard = Collected<String>()
    let subject = PassthroughSubject<Counter.Change, Never>()
    let effects = Effects { _, change in
      if change == .nothing { return .publisher(subject) }
      heard.append(Contractors().voice.name)
      return .none
    }
    let lego = Lego(.init(), blueprint: Counter(), adaptors: [effects])
    withContractors {
      $0.voice = Voice(name: "alto")
    } operation: {
      _ = lego.build(.nothing)
    }
    subject.send(.add(1))
    withContractors {
      $0.voice = Voice(name: "bass")
    } operation: {
      subject.send(.add(1))
    }
    #expect(heard.values == ["alto", "alto"])
  }

  @Test func `lie over those that its store was made under`() {
    let heard = Collected<String>()
    let lego = withContractors {
      $0.voice = Voice(name: "store")
      $0.accent = Accent(name: "store")
    } operation: {
      let answers = Answers { _, _ in
        heard.append("\(Contractors().voice.name) \(Contractors().accent.name)")
        return .empty
      }
      return Lego(.init(), blueprint: Counter(), adaptors: [answers])
    }
    lego.build(.add(1))
    withContractors {
      $0.voice = Voice(name: "alto")
    } operation: {
      _ = lego.build(.add(1))
    }
    #expect(heard.values == ["store store", "alto store"])
  }
}
