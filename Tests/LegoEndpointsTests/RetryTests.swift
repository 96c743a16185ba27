import Foundation
import LegoEndpoints
import LegoKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct RetryTests {
  private static let exact = EndpointRetry(
    attempts: 4, first: .seconds(1), longest: .seconds(3), jitter: 1...1)

  /// Runs a call on a clock, and collects the times at which requests came.
  private func times(
    of endpoint: GetText, retry: EndpointRetry = exact, _ answers: StubAnswer<String>...
  ) async -> (times: [Duration], error: EndpointError?) {
    let clock = TestClock()
    let start = clock.now
    let times = Collected<Duration>()
    let stubs = EndpointStubs()
    stubs.on(GetText.self) { _ in
      times.append(start.duration(to: clock.now))
      return answers[min(times.values.count, answers.count) - 1]
    }
    let endpoints = Endpoints(stubs: stubs, retry: retry)
    let error = await withContractors {
      $0.clock = clock
    } operation: {
      let ended = Collected<Bool>()
      async let error: EndpointError? = {
        defer { ended.append(true) }
        return await endpoints.error(of: endpoint)
      }()
      while ended.values.isEmpty {
        // The clock stands still until the call waits for it.
        if clock.sleeperCount == 0 {
          try? await Task.sleep(for: .microseconds(100))
        } else {
          await clock.advance(by: .milliseconds(250))
        }
      }
      return await error
    }
    return (times.values, error)
  }

  @Test func `waits double up to the longest`() async {
    let result = await times(of: GetText("/"), .response(status: 503))
    #expect(result.times == [.zero, .seconds(1), .seconds(3), .seconds(6)])
    #expect(result.error?.attempts == 4)
    #expect(result.error?.description.hasSuffix("status 503 (tried 4 times)") == true)
  }

  @Test(arguments: ["7", "Thu, 01 Jan 1970 00:00:07 GMT"])
  func `a server may ask for a wait`(text: String) async {
    let headers: HTTPHeaders = ["Retry-After": text, "Date": "Thu, 01 Jan 1970 00:00:00 GMT"]
    let result = await times(
      of: GetText("/"), .response(status: 429, headers: headers), .response())
    #expect(result.times == [.zero, .seconds(7)])
    #expect(result.error == nil)
  }

  @Test(arguments: ["61", "4294967296", "99999999999999999999", "Thu, 01 Jan 2970 00:00:07 GMT"])
  func `a server that asks for too long a wait gets none`(text: String) async {
    let result = await times(
      of: GetText("/"), .response(status: 429, headers: ["Retry-After": text]))
    #expect(result.times == [.zero])
    #expect(result.error?.status == 429)
    #expect(result.error?.headers["Retry-After"] == text)
  }

  @Test(arguments: ["", "-1", "soon", "1.5", "+3x"])
  func `a wait that is not one is not heeded`(text: String) async {
    let result = await times(
      of: GetText("/"), .response(status: 503, headers: ["Retry-After": text]), .response())
    #expect(result.times == [.zero, .seconds(1)])
  }

  @Test(arguments: [
    (StubAnswer<String>.response(status: 500), 4), (.response(status: 504), 4),
    (.response(status: 408), 4), (.response(status: 404), 1), (.response(status: 501), 1),
    (.failure(.connectionLost), 4), (.failure(.unreachable), 4), (.failure(.timedOut), 4),
    (.failure(.failed), 1), (.failure(.notHTTP), 1), (.response(body: Data([0xFF])), 1),
  ])
  func `what may pass is tried again`(answer: StubAnswer<String>, attempts: Int) async {
    let result = await times(of: GetText("/"), answer)
    #expect(result.times.count == attempts)
    #expect(result.error != nil)
  }

  @Test func `a request that is not idempotent is sent once unless told otherwise`() async {
    var post = GetText("/")
    post.method = .post
    #expect(await times(of: post, .response(status: 503)).times.count == 1)
    var retry = Self.exact
    retry.everyMethod = true
    #expect(await times(of: post, retry: retry, .response(status: 503)).times.count == 4)
    post.method = .put
    #expect(await times(of: post, .response(status: 503)).times.count == 4)
    post.retry = .never
    #expect(await times(of: post, .response(status: 503)).times.count == 1)
  }

  @Test func `jitter shortens waits`() async {
    var retry = Self.exact
    (retry.attempts, retry.jitter) = (2, 0...1)
    var waits: Set<Duration> = []
    for _ in 0..<8 {
      waits.insert(
        await times(of: GetText("/"), retry: retry, .response(status: 503)).times[1])
    }
    #expect(waits.allSatisfy { $0 <= .seconds(1) })
    #expect(waits.count > 1)
  }

  @Test func `a real server is tried again until it answers`() async throws {
    let endpoints = try Endpoints.local(retry: .atOnce)
    #expect(try await endpoints.answer(to: GetText("/flaky/a/2/500")) == "done")
    #expect(try await endpoints.answer(to: GetText("/later/b/2/0")) == "done")
    #expect(try await endpoints.answer(to: GetText("/droppy/c/2")) == "done")
    #expect(await endpoints.error(of: GetText("/flaky/d/3/503"))?.attempts == 3)
  }
}
