import Foundation
import LegoEndpoints
import LegoKit
import Testing

/// Servers that take too long, and callers who do not wait.
@Suite(.timeLimit(.minutes(5))) struct TimeTests {
  @Test func `a server that never answers is given up`() async throws {
    let clock = TestClock()
    let endpoints = try Endpoints.local()
    let other = try Endpoints.local()
    let error = try await withContractors {
      $0.clock = clock
    } operation: {
      async let error = endpoints.error(of: GetText("/never/time"))
      await clock.waitForSleepers(2)
      try await withContractors {
        $0.clock = ContinuousClock()
      } operation: {
        while try await other.answer(to: GetText("/count/come/time")) != "1" {
          try await Task.sleep(for: .milliseconds(5))
        }
      }
      await clock.advance(by: .seconds(29))
      #expect(clock.sleeperCount == 2)
      await clock.advance(by: .seconds(1))
      return await error
    }
    #expect(error?.code == .timedOut)
    #expect(error?.reason == "no response within 30.0 seconds")
    // The connection is closed, which the server sees.
    while try await other.answer(to: GetText("/count/left/time")) != "1" {
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  @Test func `a body that stalls is given up when the time of the call is over`() async throws {
    let clock = TestClock()
    let endpoints = try Endpoints.local()
    let told = Collected<EndpointProgress>()
    let error = try await withContractors {
      $0.clock = clock
    } operation: {
      async let error = endpoints.error(of: GetText("/stall")) { told.append($0) }
      await clock.waitForSleepers(2)
      while told.values.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
      await clock.advance(by: .seconds(119))
      #expect(clock.sleeperCount == 1)
      await clock.advance(by: .seconds(1))
      return await error
    }
    #expect(error?.code == .timedOut)
    #expect(error?.reason == "no answer within 120.0 seconds")
  }

  @Test func `the time of a call includes its waits`() async throws {
    var later = GetText("/later/time/99/50")
    later.retry = EndpointRetry(attempts: 99)
    later.limits = EndpointLimits(whole: .seconds(20))
    let endpoint = later
    let clock = TestClock()
    let endpoints = try Endpoints.local()
    let error = await withContractors {
      $0.clock = clock
    } operation: {
      let ended = Collected<Bool>()
      async let error: EndpointError? = {
        defer { ended.append(true) }
        return await endpoints.error(of: endpoint)
      }()
      while ended.values.isEmpty { await clock.advance(by: .seconds(1)) }
      return await error
    }
    #expect(error?.code == .timedOut)
    #expect(error?.reason == "no answer within 20.0 seconds")
  }

  @Test(arguments: ["/never/cancel", "/stall", "/drip/100000/10", "/huge"])
  func `a cancelled call ends at once, and its request with it`(path: String) async throws {
    let endpoints = try Endpoints.local(limits: EndpointLimits(bytes: .max))
    for delay in [0, 1, 20] {
      let call = Task { await endpoints.error(of: GetText(EndpointPath(stringLiteral: path))) }
      try await Task.sleep(for: .milliseconds(delay))
      call.cancel()
      #expect(await call.value?.code == .cancelled)
    }
    await endpoints.close()
  }

  @Test func `a call that is cancelled before it begins sends nothing`() async throws {
    let endpoints = try Endpoints.local()
    let call = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return await endpoints.error(of: GetText("/flaky/unsent/0/200"))
    }
    #expect(await call.value?.code == .cancelled)
    #expect(try await endpoints.answer(to: GetText("/count/unsent")) == "0")
    await endpoints.close()
  }

  @Test func `cancelling while a redirect is answered does no harm`() async throws {
    let endpoints = try Endpoints.local(limits: EndpointLimits(redirects: 50))
    for round in 0..<60 {
      let call = Task { await endpoints.error(of: GetText("/loop")) }
      try await Task.sleep(for: .microseconds(round * 100))
      call.cancel()
      #expect([.cancelled, .redirect].contains(await call.value?.code))
    }
    await endpoints.close()
  }

  @Test func `a closed client ends its calls and takes no others`() async throws {
    let endpoints = try Endpoints.local()
    let calls = (0..<20).map { _ in
      Task { await endpoints.error(of: GetText("/never/close")) }
    }
    try await Task.sleep(for: .milliseconds(50))
    await endpoints.close()
    for call in calls { #expect(await call.value?.code == .closed) }
    #expect(await endpoints.error(of: GetText("/echo"))?.code == .closed)
    await endpoints.close()
  }
}
