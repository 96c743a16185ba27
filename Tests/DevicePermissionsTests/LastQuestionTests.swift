import AccessModel
import DevicePermissions
import DevicePermissionsTesting
import Glibc
import LegoKit
import LinuxDevices
import LinuxTestSupport
import Synchronization
import Testing

/// A machine with cameras, which holds back the answer about one target until a test releases it.
private final class HeldMachine: MachineWrapper {
  let wrapped: any Machine = InMemoryMachine {
    $0.addUser("alice", id: 1000)
    $0.addCamera(0)
    $0.addCamera(1)
    $0.run(as: "alice")
  }
  private let isAsked = Atomic(false)
  private let isOpen = Atomic(false)
  private let held: Question.Target

  init(holding target: Question.Target) { held = target }

  /// Waits until the machine receives the question that it holds back.
  func asked() async { #expect(await eventually { isAsked.load(ordering: .acquiring) }) }

  /// Releases the answer.
  func answer() { isOpen.store(true, ordering: .releasing) }

  func facts(for question: Question) throws(DeviceError) -> AccessFacts {
    if question.target == held {
      isAsked.store(true, ordering: .releasing)
      // The wait is limited, because it blocks one of the few threads that run tasks.
      for _ in 0..<300 where !isOpen.load(ordering: .acquiring) { usleep(1_000) }
    }
    return try wrapped.facts(for: question)
  }
}

@Suite(.serialized, .timeLimit(.minutes(5))) struct `The last question to devices in a store` {
  private typealias Store = Lego<DeviceBlueprint>
  private let second = Question(.path("/dev/video1"))

  /// Builds a first request, and the next ones while the first is in progress.
  ///
  /// - Parameters:
  ///   - first: The first request.
  ///   - target: The target of the first request.
  ///   - next: The requests that follow.
  /// - Returns: The store after all requests have ended.
  private func store(
    _ first: DeviceBlueprint.Change, about target: Question.Target,
    then next: DeviceBlueprint.Change...
  ) async -> Store {
    let machine = HeldMachine(holding: target)
    return await withContractors {
      $0.devices = DeviceService(machine: machine)
    } operation: {
      let lego = Store(DeviceBlueprint.Design(), feature: .devices)
      let build = lego.build(first)
      await machine.asked()
      for change in next { await lego.build(change).finished() }
      machine.answer()
      await build.finished()
      return lego
    }
  }

  @Test func `is answered, however late the one before is`() async {
    let target = Question.Target.path("/dev/video0")
    for first in [DeviceBlueprint.Change.explain(Question(target)), .observe(Question(target))] {
      let lego = await store(first, about: target, then: .explain(second))
      // A cancelled request still completes, but its result is not applied.
      try? await Task.sleep(for: .milliseconds(20))
      #expect(lego.design.explanation?.path == "/dev/video1")
      #expect(lego.design.facts?.explain().path == "/dev/video1")
    }
  }

  @Test func `has not failed where one before did`() async {
    let target = Question.Target.path("")
    let lego = await store(.explain(Question(target)), about: target, then: .explain(second))
    try? await Task.sleep(for: .milliseconds(20))
    #expect(lego.design.failure == nil)
    #expect(lego.design.explanation?.path == "/dev/video1")
  }

  @Test func `has not failed where a list is asked for since`() async {
    let target = Question.Target.path("")
    let lego = await store(.explain(Question(target)), about: target, then: .list(.camera))
    #expect(lego.design.failure == nil)
    #expect(lego.design.listings[.camera]?.count == 2)
  }

  @Test func `takes no list away, and a list takes its failure away`() async {
    let lego = await store(
      .list(.camera), about: .kind(.camera), then: .explain(Question(.path(""))),
      .list(.microphone))
    #expect(lego.design.listings[.camera]?.count == 2)
    #expect(lego.design.listings[.microphone]?.isEmpty == true)
    #expect(lego.design.failure == nil)
  }

  @Test func `has failed although a list arrives later`() async {
    let lego = await store(
      .list(.camera), about: .kind(.camera), then: .explain(Question(.path(""))))
    #expect(lego.design.listings[.camera]?.count == 2)
    #expect(lego.design.failure?.code == .invalidPath)
  }

  /// Covers the time after a request is applied and before it cancels the previous one.
  @Test func `has not failed where one before did at the last moment`() async throws {
    let facts = try HeldMachine(holding: .path("")).facts(for: second)
    let error = DeviceError(.invalidPath, operation: "look at the path")
    let answer = DeviceBlueprint.Change.explained(facts.explain(), facts)
    var design = DeviceBlueprint.Design()
    func change(_ changes: DeviceBlueprint.Change...) {
      for change in changes { DeviceBlueprint().change(&design, on: change) }
    }
    change(.explain(second), .failed(error), answer)
    #expect(design.failure == nil)
    change(.explain(second), .list(.camera), .failed(error), answer)
    #expect(design.failure == error)
    change(.listed(.microphone, []))
    #expect(design.failure == error)
    change(.listed(.camera, []))
    #expect(design.failure == nil)
  }

  @Test func `is the one that was built last, on two threads and in many rounds`() async {
    let machine = InMemoryMachine {
      $0.addUser("alice", id: 1000)
      $0.addCamera(0)
      $0.addCamera(1)
      $0.run(as: "alice")
    }
    await withContractors {
      $0.devices = DeviceService(machine: machine)
    } operation: {
      let lego = Store(DeviceBlueprint.Design(), feature: .devices)
      for round in 0..<100 {
        await withTaskGroup { group in
          for path in ["/dev/video0", ""] {
            group.addTask { await lego.build(.explain(Question(.path(path)))).finished() }
          }
        }
        await lego.build(.explain(second)).finished()
        #expect(lego.design.failure == nil, "round \(round)")
        #expect(lego.design.explanation?.path == "/dev/video1", "round \(round)")
      }
    }
  }
}
