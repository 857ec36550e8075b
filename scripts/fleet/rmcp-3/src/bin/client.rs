// A loop around rmcp's own client: what it is told and what it says is in ../../../README.md, Clients.
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rmcp::model::{CallToolRequestParams, ClientConfig, JsonObject, ProtocolVersion};
use rmcp::service::RunningService;
use rmcp::transport::{
    StreamableHttpClientTransport, streamable_http_client::StreamableHttpClientTransportConfig,
};
use rmcp::{ClientLifecycleMode, ClientServiceExt, RoleClient};
use tokio::io::AsyncReadExt;
use tokio::sync::Mutex;

#[derive(serde::Deserialize, Clone)]
#[serde(rename_all = "camelCase")]
struct Told {
    url: String,
    transport: String,
    sessions: usize,
    in_flight: usize,
    calls: Option<i64>,
    warmup_seconds: Option<f64>,
    seconds: Option<f64>,
    tool: String,
    arguments: JsonObject,
}

type Session = RunningService<RoleClient, ClientConfig>;

#[derive(Default)]
struct Books {
    left: AtomicI64,
    stopped: AtomicBool,
    measuring: AtomicBool,
    calls: AtomicU64,
    errors: AtomicU64,
    first_error: Mutex<Option<String>>,
}

impl Books {
    async fn fail(&self, text: String) {
        self.errors.fetch_add(1, Ordering::Relaxed);
        self.first_error.lock().await.get_or_insert(text);
    }
}

fn say(value: serde_json::Value) {
    println!("{value}");
}

async fn open(told: &Told) -> Result<Session, String> {
    let config = StreamableHttpClientTransportConfig::with_uri(told.url.clone());
    let transport = StreamableHttpClientTransport::from_config(config);
    let lifecycle = match told.transport.as_str() {
        "sessions" => ClientLifecycleMode::Initialize,
        "stateless" => ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] },
        other => return Err(format!("no transport {other}")),
    };
    ClientConfig::default().serve_with_lifecycle(transport, lifecycle).await.map_err(|error| error.to_string())
}

async fn keep_calling(session: Arc<Session>, told: Told, books: Arc<Books>) -> Vec<u64> {
    let mut micros = Vec::new();
    while !books.stopped.load(Ordering::Relaxed) {
        if told.calls.is_some() && books.left.fetch_sub(1, Ordering::Relaxed) <= 0 {
            break;
        }
        let params = CallToolRequestParams::new(told.tool.clone()).with_arguments(told.arguments.clone());
        let start = Instant::now();
        let answer = session.call_tool(params).await;
        if !books.measuring.load(Ordering::Relaxed) {
            continue;
        }
        match answer {
            Ok(result) if result.is_error != Some(true) => {
                books.calls.fetch_add(1, Ordering::Relaxed);
                micros.push(start.elapsed().as_micros() as u64);
            }
            Ok(_) => books.fail("isError".into()).await,
            Err(error) => books.fail(error.to_string()).await,
        }
    }
    micros
}

#[tokio::main]
async fn main() {
    let told: Told = serde_json::from_str(&std::env::args().nth(1).expect("usage: client JSON")).expect("JSON");
    let books = Arc::new(Books::default());
    books.left.store(told.calls.unwrap_or(0), Ordering::Relaxed);
    books.measuring.store(told.calls.is_some(), Ordering::Relaxed);
    let mut opening = tokio::task::JoinSet::new();
    for _ in 0..told.sessions {
        let told = told.clone();
        opening.spawn(async move { open(&told).await });
    }
    let mut sessions = Vec::new();
    let mut unopened = 0;
    while let Some(opened) = opening.join_next().await {
        match opened.expect("no panic") {
            Ok(session) => sessions.push(Arc::new(session)),
            Err(text) => {
                unopened += 1;
                books.first_error.lock().await.get_or_insert(text);
            }
        }
    }
    say(serde_json::json!({ "at": "ready", "sessions": sessions.len(), "failed": unopened }));

    let mut loops = tokio::task::JoinSet::new();
    let mut start = Instant::now();
    for session in &sessions {
        for _ in 0..told.in_flight {
            loops.spawn(keep_calling(session.clone(), told.clone(), books.clone()));
        }
    }
    if told.calls.is_none() {
        tokio::time::sleep(Duration::from_secs_f64(told.warmup_seconds.unwrap_or(0.0))).await;
        start = Instant::now();
        books.measuring.store(true, Ordering::Relaxed);
        say(serde_json::json!({ "at": "measuring" }));
        tokio::time::sleep(Duration::from_secs_f64(told.seconds.unwrap_or(1.0))).await;
        books.measuring.store(false, Ordering::Relaxed);
        books.stopped.store(true, Ordering::Relaxed);
    }
    let mut seconds = start.elapsed().as_secs_f64();
    let mut micros: Vec<u64> = Vec::new();
    while let Some(part) = loops.join_next().await {
        micros.extend(part.expect("no panic"));
    }
    if told.calls.is_some() {
        seconds = start.elapsed().as_secs_f64();
    }
    micros.sort_unstable();
    let percentile = |share: f64| {
        let at = (share * micros.len() as f64).ceil() as usize;
        micros.get(at.saturating_sub(1)).map(|&us| us as f64 / 1000.0)
    };
    say(serde_json::json!({
        "at": "done",
        "sessions": sessions.len(),
        "calls": books.calls.load(Ordering::Relaxed),
        "errors": books.errors.load(Ordering::Relaxed),
        "seconds": seconds,
        "p50Ms": percentile(0.5),
        "p95Ms": percentile(0.95),
        "p99Ms": percentile(0.99),
        "maxMs": percentile(1.0),
        "firstError": *books.first_error.lock().await,
    }));
    // The figures of this process can still be read; whoever started it says when it may close.
    let _ = tokio::io::stdin().read_to_end(&mut Vec::new()).await;
    for session in sessions {
        if let Ok(session) = Arc::try_unwrap(session) {
            let _ = session.cancel().await;
        }
    }
}
