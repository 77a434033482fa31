/* Draws with plain SVG. Colours are the page's variables --a to --i, so that dark mode and print choose them. */
#include "sim/report/profile_svg.h"
#include "text/html.h"

#include <math.h>

enum { WIDTH = 760, LEFT = 64, TOP = 12, CHART = 130, ROOF = 260, LEGEND = 20, LETTERS = 9 };

static char colour(size_t i)
{
    return (char)('a' + i % LETTERS);
}

/* A square and a name at (x, y). */
static void draw_key(FILE *out, double x, double y, size_t i, const char *name)
{
    fprintf(out,
            "<rect x=\"%.0f\" y=\"%.0f\" width=\"10\" height=\"10\" fill=\"var(--%c)\"/><text x=\"%.0f\" y=\"%.0f\">",
            x, y - 9, colour(i), x + 14, y);
    html_text(name, out);
    fputs("</text>\n", out);
}

void svg_bar(FILE *out, const struct svg_part *parts, size_t count)
{
    size_t rows = (count + 2) / 3;
    double x = 0;
    fprintf(out, "<svg viewBox=\"0 0 %d %zu\" role=\"img\">\n", WIDTH, 30 + rows * LEGEND);
    for (size_t i = 0; i < count; i++) {
        double width = WIDTH * parts[i].percent / 100;
        fprintf(out, "<rect x=\"%.2f\" y=\"0\" width=\"%.2f\" height=\"22\" fill=\"var(--%c)\"/>\n", x, width,
                colour(parts[i].colour));
        x += width;
    }
    for (size_t i = 0; i < count; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s %.1f %%", parts[i].name, parts[i].percent);
        size_t column = i % 3 * (WIDTH / 3), row = i / 3 * LEGEND;
        draw_key(out, (double)column, 40 + (double)row, parts[i].colour, name);
    }
    fputs("</svg>\n", out);
}

/* 1, 2 or 5 times a power of ten, at least `value`. */
static double round_up(double value)
{
    double power = pow(10, floor(log10(value > 0 ? value : 1)));
    for (int i = 0; i < 3; i++) {
        double rounded = power * (i == 0 ? 1 : i == 1 ? 2 : 5);
        if (rounded >= value)
            return rounded;
    }
    return 10 * power;
}

static void draw_axes(FILE *out, double most, double end, const char *unit)
{
    for (int i = 0; i <= 2; i++) {
        double y = TOP + CHART * (2 - i) / 2.0;
        fprintf(out,
                "<line class=\"grid\" x1=\"%d\" y1=\"%.0f\" x2=\"%d\" y2=\"%.0f\"/><text x=\"%d\" y=\"%.0f\" "
                "text-anchor=\"end\">%.4g</text>\n",
                LEFT, y, WIDTH - 10, y, LEFT - 6, y + 4, most * i / 2);
    }
    fprintf(out,
            "<text x=\"%d\" y=\"%d\">0</text><text x=\"%d\" y=\"%d\" text-anchor=\"end\">%.4g &#181;s</text>"
            "<text x=\"4\" y=\"%d\">%s</text>\n",
            LEFT, TOP + CHART + 16, WIDTH - 10, TOP + CHART + 16, end, TOP + CHART + 16, unit);
}

void svg_chart(FILE *out, const struct svg_line *lines, size_t line_count, size_t count, double end, const char *unit)
{
    double most = 0;
    for (size_t l = 0; l < line_count; l++)
        for (size_t i = 0; i < count; i++)
            most = fmax(most, lines[l].values[i]);
    most = round_up(most);
    fprintf(out, "<svg viewBox=\"0 0 %d %d\" role=\"img\">\n", WIDTH, TOP + CHART + 24 + LEGEND);
    draw_axes(out, most, end, unit);
    for (size_t l = 0; l < line_count; l++) {
        fprintf(out, "<polyline class=\"line\" stroke=\"var(--%c)\" points=\"", colour(l));
        for (size_t i = 0; i < count; i++)
            fprintf(out, "%s%.1f,%.1f", i ? " " : "", LEFT + (WIDTH - 10 - LEFT) * ((double)i + 0.5) / (double)count,
                    TOP + CHART * (1 - lines[l].values[i] / most));
        fputs("\"/>\n", out);
        draw_key(out, LEFT + (double)l * 200, TOP + CHART + 20 + LEGEND - 4, l, lines[l].name);
    }
    fputs("</svg>\n", out);
}

/* Decades of both axes. */
struct plane {
    double low_x, high_x, low_y, high_y; /* logarithms */
};

static double at_x(const struct plane *p, double value)
{
    double x = (log10(value) - p->low_x) / (p->high_x - p->low_x);
    return LEFT + (WIDTH - 10 - LEFT) * fmin(fmax(x, 0), 1);
}

static double at_y(const struct plane *p, double value)
{
    double y = (log10(value) - p->low_y) / (p->high_y - p->low_y);
    return TOP + ROOF * (1 - fmin(fmax(y, 0), 1));
}

static void draw_plane(FILE *out, const struct plane *p)
{
    for (int n = 0; p->low_x + n <= p->high_x; n++) {
        double e = p->low_x + n;
        double x = at_x(p, pow(10, e));
        fprintf(out,
                "<line class=\"grid\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/><text x=\"%.1f\" y=\"%d\" "
                "text-anchor=\"%s\">%g</text>\n",
                x, TOP, x, TOP + ROOF, x, TOP + ROOF + 16, e < p->high_x ? "middle" : "end", pow(10, e));
    }
    for (int n = 0; p->low_y + n <= p->high_y; n++) {
        double e = p->low_y + n;
        double y = at_y(p, pow(10, e));
        fprintf(out,
                "<line class=\"grid\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/><text x=\"%d\" y=\"%.1f\" "
                "text-anchor=\"end\">%g</text>\n",
                LEFT, y, WIDTH - 10, y, LEFT - 6, y + 4, pow(10, e - 9));
    }
    fprintf(out, "<text x=\"%d\" y=\"%d\">operations a byte (x), Gflop/s (y)</text>\n", LEFT, TOP + ROOF + 34);
}

void svg_roofline(FILE *out, const struct svg_roof *roofs, size_t count, double peak, double flops, double seconds)
{
    double top = ceil(log10(peak));
    const struct plane p = {-2, 4, top - 4, top};
    fprintf(out, "<svg viewBox=\"0 0 %d %d\" role=\"img\">\n", WIDTH, TOP + ROOF + 44 + (int)count * LEGEND);
    draw_plane(out, &p);
    for (size_t i = 0; i < count; i++) {
        double ridge = peak / roofs[i].peak, left = pow(10, fmax(p.low_x, p.low_y - log10(roofs[i].peak)));
        char name[160];
        fprintf(out, "<polyline class=\"line\" stroke=\"var(--%c)\" points=\"%.1f,%.1f %.1f,%.1f %.1f,%.1f\"/>\n",
                colour(i), at_x(&p, left), at_y(&p, left * roofs[i].peak), at_x(&p, ridge), at_y(&p, peak),
                at_x(&p, pow(10, p.high_x)), at_y(&p, peak));
        if (roofs[i].bytes > 0)
            fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"5\" fill=\"var(--%c)\"/>\n",
                    at_x(&p, flops / roofs[i].bytes), at_y(&p, flops / seconds), colour(i));
        if (roofs[i].bytes > 0)
            snprintf(name, sizeof name, "%s: %.4g GB/s at most, %.4g used, %.3g operations a byte", roofs[i].name,
                     roofs[i].peak / 1e9, roofs[i].bytes / seconds / 1e9, flops / roofs[i].bytes);
        else
            snprintf(name, sizeof name, "%s: %.4g GB/s at most, not used", roofs[i].name, roofs[i].peak / 1e9);
        draw_key(out, LEFT, TOP + ROOF + 54 + (double)i * LEGEND, i, name);
    }
    fputs("</svg>\n", out);
}
