// rmcp's own SSE server; one handler per session, so the counter is a session's.
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;
use std::time::Duration;

use rmcp::handler::server::{router::tool::ToolRouter, wrapper::Parameters};
use rmcp::model::{ServerCapabilities, ServerInfo};
use rmcp::transport::sse_server::SseServer;
use rmcp::{schemars, tool, tool_handler, tool_router, ServerHandler};

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Echo {
    message: String,
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Sleep {
    ms: f64,
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Payload {
    bytes: usize,
}

#[derive(Clone)]
struct Fleet {
    count: Arc<AtomicU64>,
    tool_router: ToolRouter<Self>,
}

#[tool_router]
impl Fleet {
    fn new() -> Self {
        Self { count: Arc::new(AtomicU64::new(0)), tool_router: Self::tool_router() }
    }

    #[tool(description = "Returns the message.")]
    async fn echo(&self, Parameters(Echo { message }): Parameters<Echo>) -> String {
        message
    }

    #[tool(description = "Answers after a delay.")]
    async fn sleep(&self, Parameters(Sleep { ms }): Parameters<Sleep>) -> String {
        tokio::time::sleep(Duration::from_secs_f64(ms.clamp(0.0, 60_000.0) / 1000.0)).await;
        format!("slept {ms}")
    }

    #[tool(description = "Returns that many bytes.")]
    async fn payload(&self, Parameters(Payload { bytes }): Parameters<Payload>) -> String {
        "x".repeat(bytes.min(16_777_216))
    }

    #[tool(description = "Counts the calls of this session.")]
    async fn counter(&self) -> String {
        (self.count.fetch_add(1, Ordering::Relaxed) + 1).to_string()
    }
}

#[tool_handler]
impl ServerHandler for Fleet {
    fn get_info(&self) -> ServerInfo {
        ServerInfo { capabilities: ServerCapabilities::builder().enable_tools().build(), ..Default::default() }
    }
}

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let port: u16 = std::env::args().nth(1).and_then(|text| text.parse().ok()).expect("usage: fleet-rmcp PORT");
    let stop = SseServer::serve(SocketAddr::from(([127, 0, 0, 1], port))).await?.with_service(Fleet::new);
    tokio::signal::ctrl_c().await?;
    stop.cancel();
    Ok(())
}
